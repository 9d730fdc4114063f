/** What the person has switched on for a line, in this browser. */
export type Choice = "wake" | "slow";

const nameOf = (choice: Choice, event: string) => `sira-${choice}-${event}`;
const now = new Map<string, boolean>();

export function hasChosen(choice: Choice, event: string): boolean {
  const name = nameOf(choice, event);
  try {
    return now.get(name) ?? localStorage.getItem(name) === "1";
  } catch {
    return false;
  }
}

export function choose(choice: Choice, event: string, on: boolean): void {
  const name = nameOf(choice, event);
  now.set(name, on);
  try {
    if (on) localStorage.setItem(name, "1");
    else localStorage.removeItem(name);
  } catch {
    // Storage is kept from us; it holds as long as this page does.
  }
}
