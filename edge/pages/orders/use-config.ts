import { useEffect, useState } from "preact/hooks";
import { findConfig, type PageConfig } from "../kit/api.ts";

const RETRY_MS = 3_000;

/** Who takes the money here: asked until the gate has told. */
export function useConfig(): PageConfig | undefined {
  const [config, setConfig] = useState<PageConfig>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const ask = async () => {
      const found = await findConfig();
      if (found) setConfig(found);
      else timer = setTimeout(ask, RETRY_MS * (1 + Math.random()));
    };
    void ask();
    return () => clearTimeout(timer);
  }, []);
  return config;
}
