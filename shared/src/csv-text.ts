/**
 * Matches cells that a spreadsheet could run as a formula (OWASP, CSV injection). Excel treats full-width and small
 * signs like their ASCII equivalents, and skips spaces and invisible characters at the start of a cell.
 */
const FORMULA = /^[\s\p{C}]*[=+\-@＝＋－＠﹦﹢﹣﹫]|^[\t\r\n]/u;

type Row = readonly (string | number)[];

/**
 * Returns a cell's text, prefixed with an apostrophe if a spreadsheet could run it as a formula. Numbers stay
 * numbers.
 */
const safeText = (value: string | number): string =>
  typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value);

/**
 * Returns a cell, quoted if necessary. Semicolons and tabs are quoted too, because spreadsheets with a different
 * separator setting split cells there.
 */
function cellOf(value: string | number): string {
  const safe = safeText(value);
  return /[",;\t\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Start of a CSV file: the byte order mark, which lets spreadsheets recognise UTF-8. */
export const CSV_START = '\uFEFF';

/**
 * Returns one line of a CSV file, including the line break (RFC 4180). Spreadsheets open the cells as text, not as
 * formulas.
 */
export const csvLine = (row: Row): string => `${row.map(cellOf).join(',')}\r\n`;

/** Returns a whole CSV file. */
export const csvText = (rows: readonly Row[]): string => `${CSV_START}${rows.map(csvLine).join('')}`;

/** Returns rows for pasting into a spreadsheet or an email, as tab-separated cells without formulas. */
export const tabbedText = (rows: readonly Row[]): string =>
  rows.map((row) => row.map((value) => safeText(value).replaceAll(/\s+/g, ' ')).join('\t')).join('\n');
