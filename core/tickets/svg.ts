import { toString as drawQr } from "qrcode";

/** The code as a picture without any outside reference; level M survives a scratched screen. */
export const ticketSvg = (code: string): Promise<string> =>
  drawQr(code, { type: "svg", errorCorrectionLevel: "M", margin: 4 });
