import type { CsvBlock } from './csv-blocks.ts';
import { type CsvColumns, readCells, readHeader } from './csv-columns.ts';
import { type CsvRow, readLines, readRows } from './csv-rows.ts';
import type { InviteRow } from './invite-row.ts';

/** Reads the blocks of one file, in their order. */
export interface CsvReader {
  /** The people in a block, without the header and empty rows. */
  read(block: CsvBlock): InviteRow[];
}

interface CsvFormat {
  delimiter: string;
  /** Undefined where the file has no header. */
  columns: CsvColumns | undefined;
  /** The last line before the rows. */
  headerLine: number;
}

/** @param primaryAttrField the organisation's name for its primary attribute, which a header may use. */
export function createCsvReader(primaryAttrField: string): CsvReader {
  let format: CsvFormat | undefined;

  function readFormat(block: CsvBlock): CsvFormat {
    const { delimiter, hint } = readDelimiter(block.text);
    const rows = (readRows(block, delimiter) ?? readLines(block, delimiter)).filter(isFilled);
    const first = rows.find(({ line }) => line !== hint);
    const columns = first && readHeader(first.cells, primaryAttrField);
    return { delimiter, columns, headerLine: Math.max(hint, columns ? (first?.line ?? 0) : 0) };
  }

  return {
    read(block) {
      format ??= readFormat(block);
      const { delimiter, columns, headerLine } = format;
      const toInvite = (rows: CsvRow[]): InviteRow[] =>
        rows.filter((row) => row.line > headerLine && isFilled(row)).map((row) => inviteRowOf(row, columns));
      const whole = readRows(block, delimiter);
      const invites = whole && toInvite(whole);
      if (!invites?.every(isWhole)) return toInvite(readLines(block, delimiter));
      return invites.map(onOneLine);
    },
  };
}

function inviteRowOf({ line, cells, problem }: CsvRow, columns: CsvColumns | undefined): InviteRow {
  if (!problem) return { line, ...readCells(cells, columns) };
  return { line, email: cells.join(), firstName: '', lastName: '', primaryAttr: '', problem };
}

const isFilled = ({ cells }: CsvRow): boolean => cells.some((cell) => cell.trim() !== '');

/**
 * Whether a row is not several that a quote left open has made one: an address has no line break, and a name with one
 * (Alt+Enter in a spreadsheet) has no address after it.
 */
const isWhole = ({ email, firstName, lastName, primaryAttr }: InviteRow): boolean =>
  !email.includes('\n') && ![firstName, lastName, primaryAttr].some((text) => /\n.*@/s.test(text));

const onOneLine = (row: InviteRow): InviteRow => ({
  ...row,
  firstName: spaced(row.firstName),
  lastName: spaced(row.lastName),
  primaryAttr: spaced(row.primaryAttr),
});

const spaced = (text: string): string => (text.includes('\n') ? text.replace(/\s*\n\s*/g, ' ') : text);

/**
 * The column separator: the candidate most frequent in the first line, outside quotes; or the one the line declares, as
 * spreadsheets write it (`sep=;`).
 * @returns with the number of the line that only declares it, else 0.
 */
function readDelimiter(text: string): { delimiter: string; hint: number } {
  const [, said] = /^sep=([,;\t])\n/i.exec(text) ?? [];
  if (said) return { delimiter: said, hint: 1 };
  const [firstLine = ''] = text
    .trimStart()
    .replace(/"[^"\n]*"/g, '')
    .split('\n', 1);
  const counts = [',', ';', '\t'].map((sign) => ({ sign, count: firstLine.split(sign).length }));
  return { delimiter: counts.reduce((most, next) => (next.count > most.count ? next : most)).sign, hint: 0 };
}
