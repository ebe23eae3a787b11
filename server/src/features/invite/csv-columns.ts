import type { CsvField } from '@orchestrate/shared';

/** The column of each field; -1 for fields the file does not have. */
export type CsvColumns = Record<CsvField, number>;

/** The columns of the downloadable template. */
export const TEMPLATE: CsvColumns = { email: 0, firstName: 1, lastName: 2, primaryAttr: 3 };

/** In the languages of the client. */
const NAMES = {
  email: [
    ...['email', 'emailaddress', 'mail', 'mailaddress', 'primaryemail', 'orgemail', 'workemail', 'userprincipalname'],
    ...['emailadresse', 'mailadresse'],
  ],
  firstName: ['firstname', 'givenname', 'forename', 'vorname'],
  lastName: ['lastname', 'surname', 'familyname', 'nachname', 'familienname'],
  primaryAttr: ['primaryattr', 'primaryattribute', 'primäresattribut'],
};

/**
 * The columns that the first row names, in any order, case and spelling; undefined if it names none and so is an
 * ordinary row.
 * @param primaryAttrField what the organisation calls its primary attribute.
 */
export function readHeader(row: readonly string[], primaryAttrField: string): CsvColumns | undefined {
  const names = row.map(plain);
  const find = (known: readonly string[]) => names.findIndex((name) => known.includes(name));
  const columns = {
    email: find(NAMES.email),
    firstName: find(NAMES.firstName),
    lastName: find(NAMES.lastName),
    primaryAttr: find([plain(primaryAttrField), ...NAMES.primaryAttr]),
  };
  const hasAddress = row.some((cell) => cell.includes('@'));
  const isHeader = !hasAddress && Object.values(columns).some((column) => column >= 0);
  return isHeader ? columns : undefined;
}

const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** The columns as they were chosen by hand, in the order of the file. */
export const chosenColumns = (named: readonly (CsvField | '')[]): CsvColumns => ({
  email: named.indexOf('email'),
  firstName: named.indexOf('firstName'),
  lastName: named.indexOf('lastName'),
  primaryAttr: named.indexOf('primaryAttr'),
});

/** The contents of a row; if the address is not in its column, any cell that looks like one is used. */
export function readCells(row: readonly string[], columns: CsvColumns = TEMPLATE) {
  const cell = (column: number) => row[column]?.trim() ?? '';
  const email = cell(columns.email);
  const isInPlace = columns !== TEMPLATE || email.includes('@');
  if (isInPlace && columns.email >= 0) {
    const [firstName, lastName] = [cell(columns.firstName), cell(columns.lastName)];
    return { email, firstName, lastName, primaryAttr: cell(columns.primaryAttr) };
  }
  const found = row.find((text) => text.includes('@'))?.trim() ?? email;
  return { email: found, firstName: '', lastName: '', primaryAttr: '' };
}
