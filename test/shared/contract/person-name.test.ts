import { describe, expect, test } from "vitest";
import { personNameSchema } from "../../../shared/contract/common.ts";

const takes = (name: string): boolean => personNameSchema.safeParse(name).success;

describe("a person's name", () => {
  test("is any that people have, in any script", () => {
    for (const name of [
      "Ayşe Işık",
      "O’Brien-Smith, Jr.",
      "عمر الشريف",
      "می\u200cخواهم",
      "山田 太郎",
      "X",
      '<b>Bobby</b> & "Sons"',
      "🎭",
      "नमस्ते",
    ])
      expect(takes(name), name).toBe(true);
  });

  test("is one line that can be seen and leaves its neighbours' writing alone", () => {
    for (const name of [
      "",
      "  ",
      "A\r\nBcc: everybody@example.com",
      "A\u2028B",
      "A\u0085B",
      "\u202egpj.exe",
      "A\u2067B",
      "\u200b\u200d",
      "\u0301\u0302",
      "A".repeat(201),
    ])
      expect(takes(name), JSON.stringify(name)).toBe(false);
  });

  test("is no link: our mails would carry it to whomever somebody likes", () => {
    expect(takes("Win at https://evil.example/now")).toBe(false);
    expect(takes("Win at WWW.evil.example")).toBe(false);
  });
});
