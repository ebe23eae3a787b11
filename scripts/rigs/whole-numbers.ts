/**
 * Parses positive integers from the command line. Exits with an error for other values, because a run without steps
 * would find nothing and succeed.
 */
export function parsePositiveIntegers<Name extends string>(
  given: Readonly<Record<Name, string>>,
): Record<Name, number> {
  for (const [name, text] of Object.entries(given)) {
    if (/^[1-9]\d*$/.test(String(text))) continue;
    console.error(`--${name} must be a whole number above 0, not "${text}".`);
    process.exit(1);
  }
  return Object.fromEntries(Object.entries(given).map(([name, text]) => [name, Number(text)])) as Record<Name, number>;
}
