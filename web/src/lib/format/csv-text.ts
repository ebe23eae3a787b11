/** A cell that a spreadsheet would run as a formula gets an apostrophe before it (OWASP, CSV injection). */
const FORMULA = /^\s*[=+\-@\t\r]/;

function cellOf(value: string | number): string {
  const text = String(value);
  const safe = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows as a CSV file (RFC 4180) that a spreadsheet opens as text: no formulas, and UTF-8 with a byte order mark. */
export const csvText = (rows: readonly (readonly (string | number)[])[]): string =>
  `\uFEFF${rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')}`;
