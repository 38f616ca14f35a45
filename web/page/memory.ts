// What is kept for the next visit. Where storing is not allowed, nothing is kept.

const PREFIX = "fourfold-";

/** The value that was kept, if it is one of those. */
export function kept<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
  try {
    const found = localStorage.getItem(PREFIX + name);
    return values.find((value) => value === found);
  } catch {
    return undefined;
  }
}

export function keep(name: string, value: string): void {
  try { localStorage.setItem(PREFIX + name, value); } catch { /* not kept */ }
}
