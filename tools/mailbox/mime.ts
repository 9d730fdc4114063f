// Takes a mail apart as far as a person wants to look at it: headers, parts, their text.

export type Part = {
  readonly type: string;
  readonly filename: string | undefined;
  readonly cid: string | undefined;
  readonly content: Buffer;
};

export type Mail = {
  readonly headers: ReadonlyMap<string, string>;
  readonly parts: readonly Part[];
};

const DEPTH_MAX = 8;

const WORD = /=\?utf-8\?([bq])\?([^?]*)\?=/gi;

/** RFC 2047 words in UTF-8; those that follow each other are one text, cut anywhere. */
export function decodeWords(text: string): string {
  return text.replace(/(?:=\?utf-8\?[bq]\?[^?]*\?=\s*)+/gi, (words) => {
    const bytes = [...words.matchAll(WORD)].map(([, kind = "", body = ""]) =>
      kind.toLowerCase() === "b"
        ? Buffer.from(body, "base64")
        : quotedBytes(body.replaceAll("_", " ")),
    );
    const rest = /\s*$/.exec(words)?.[0] ?? "";
    return Buffer.concat(bytes).toString("utf8") + rest;
  });
}

function quotedBytes(text: string): Buffer {
  const bytes: number[] = [];
  const joined = text.replace(/=\r?\n/g, "");
  for (let i = 0; i < joined.length; i += 1) {
    const hex = joined.slice(i + 1, i + 3);
    if (joined[i] === "=" && /^[0-9a-f]{2}$/i.test(hex)) {
      bytes.push(Number.parseInt(hex, 16));
      i += 2;
    } else bytes.push(...Buffer.from(joined[i] ?? "", "utf8"));
  }
  return Buffer.from(bytes);
}

function readHeaders(text: string): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of text.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/)) {
    const at = line.indexOf(":");
    if (at > 0) headers.set(line.slice(0, at).toLowerCase(), line.slice(at + 1).trim());
  }
  return headers;
}

const parameter = (header: string, name: string): string | undefined => {
  const match = new RegExp(`${name}=(?:"([^"]*)"|([^;\\s]+))`, "i").exec(header);
  return match?.[1] ?? match?.[2];
};

function decodeBody(body: string, encoding: string): Buffer {
  if (encoding === "base64") return Buffer.from(body, "base64");
  if (encoding === "quoted-printable") return quotedBytes(body);
  return Buffer.from(body, "utf8");
}

function split(text: string): { headers: Map<string, string>; body: string } {
  const end = /\r?\n\r?\n/.exec(text);
  if (end === null) return { headers: readHeaders(text), body: "" };
  return {
    headers: readHeaders(text.slice(0, end.index)),
    body: text.slice(end.index + end[0].length),
  };
}

function partsOf(headers: ReadonlyMap<string, string>, body: string, depth: number): Part[] {
  const contentType = headers.get("content-type") ?? "text/plain";
  const boundary = parameter(contentType, "boundary");
  if (/^multipart\//i.test(contentType) && boundary !== undefined && depth < DEPTH_MAX) {
    const mark = `--${boundary}`;
    return `\n${body}`
      .split(new RegExp(`\\r?\\n${mark.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`))
      .slice(1)
      .filter((piece) => !piece.startsWith("--"))
      .flatMap((piece) => {
        const inner = split(piece.replace(/^\s*\r?\n/, ""));
        return partsOf(inner.headers, inner.body, depth + 1);
      });
  }
  const disposition = headers.get("content-disposition") ?? "";
  return [
    {
      type: contentType.split(";")[0]?.trim().toLowerCase() ?? "text/plain",
      filename: parameter(disposition, "filename") ?? parameter(contentType, "name"),
      cid: headers.get("content-id")?.replace(/^<|>$/g, ""),
      content: decodeBody(body, (headers.get("content-transfer-encoding") ?? "").toLowerCase()),
    },
  ];
}

export function readMail(source: string): Mail {
  const { headers, body } = split(source);
  return { headers, parts: partsOf(headers, body, 0) };
}
