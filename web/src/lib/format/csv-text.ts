/** A cell that a spreadsheet would run as a formula gets an apostrophe before it (OWASP, CSV injection). */
const FORMULA = /^\s*[=+\-@\t\r]/;

type Rows = readonly (readonly (string | number)[])[];

const safeText = (value: string | number): string =>
  typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value);

function cellOf(value: string | number): string {
  const safe = safeText(value);
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows as a CSV file (RFC 4180) that a spreadsheet opens as text: no formulas, and UTF-8 with a byte order mark. */
export const csvText = (rows: Rows): string =>
  `\uFEFF${rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')}`;

/** Rows to be pasted into a spreadsheet or a mail: cells with tabs between them, and no formulas. */
export const tabbedText = (rows: Rows): string =>
  rows.map((row) => row.map((value) => safeText(value).replaceAll(/\s+/g, ' ')).join('\t')).join('\n');
