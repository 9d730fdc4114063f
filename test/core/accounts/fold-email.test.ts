import { describe, expect, it } from "vitest";
import { foldEmail } from "../../../core/accounts/fold-email.ts";

describe("folding an address", () => {
  it.each([
    ["A.B.c+tag@GMail.com", "abc@gmail.com"],
    ["abc@googlemail.com", "abc@gmail.com"],
    ["a.b+tag@outlook.com", "a.b@outlook.com"],
    ["a.b+tag@example.com", "a.b+tag@example.com"],
    ["Ayşe@Örnek.com", "ayşe@xn--rnek-4qa.com"],
    ["a@me.com", "a@icloud.com"],
    ["a+b@constructor", "a+b@constructor"],
  ])("%s is %s", (given, folded) => expect(foldEmail(given)).toBe(folded));
});
