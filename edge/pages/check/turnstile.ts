/**
 * As much of Turnstile's script as we use. The page of the check alone loads it, by a policy of its
 * own; the answer is worth nothing but to the verifier, which the gate asks.
 */
export type Turnstile = {
  render: (
    element: HTMLElement,
    options: {
      sitekey: string;
      action: string;
      cData: string;
      language: string;
      theme: "auto";
      callback: (token: string) => void;
      "error-callback": () => boolean;
      "expired-callback": () => void;
      "unsupported-callback": () => void;
    },
  ) => string;
  reset: (widget: string) => void;
};

const isTurnstile = (value: unknown): value is Turnstile =>
  typeof value === "object" && value !== null && "render" in value;

/** @throws {Error} when the script does not come or is something else. */
export function loadTurnstile(script: string): Promise<Turnstile> {
  return new Promise((resolve, reject) => {
    const element = document.createElement("script");
    element.src = script;
    element.addEventListener("load", () => {
      const value: unknown = Reflect.get(window, "turnstile");
      if (isTurnstile(value)) resolve(value);
      else reject(new Error("the script brought no Turnstile"));
    });
    element.addEventListener("error", () => {
      element.remove();
      reject(new Error("the script did not load"));
    });
    document.head.append(element);
  });
}
