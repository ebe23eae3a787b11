/**
 * Cells that a spreadsheet could run as a formula (OWASP, CSV injection). Excel treats full-width and small signs as
 * their ASCII twins, and skips spaces and invisible characters at the start of a cell.
 */
const FORMULA = /^[\s\p{C}]*[=+\-@＝＋－＠﹦﹢﹣﹫]|^[\t\r\n]/u;

type Row = readonly (string | number)[];

/** Returns the text of a cell, with an apostrophe in front if a spreadsheet could run it. Numbers stay numbers. */
const safeText = (value: string | number): string =>
  typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value);

/** Quotes semicolons and tabs too: spreadsheets split cells there if they are set to another separator. */
function cellOf(value: string | number): string {
  const safe = safeText(value);
  return /[",;\t\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Start of a CSV file: the byte order mark, by which spreadsheets recognise UTF-8. */
export const CSV_START = '\uFEFF';

/** Returns one line of a CSV file with its line break (RFC 4180). Spreadsheets open its cells as text, not as formulas. */
export const csvLine = (row: Row): string => `${row.map(cellOf).join(',')}\r\n`;

/** Returns a whole CSV file. */
export const csvText = (rows: readonly Row[]): string => `${CSV_START}${rows.map(csvLine).join('')}`;

/** Returns rows for pasting into a spreadsheet or an email: cells separated by tabs, without formulas. */
export const tabbedText = (rows: readonly Row[]): string =>
  rows.map((row) => row.map((value) => safeText(value).replaceAll(/\s+/g, ' ')).join('\t')).join('\n');
