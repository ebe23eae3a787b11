import { type CsvField, email as emailField } from '@orchestrate/shared';

/** The column of each field; -1 for fields the file does not have. */
export type CsvColumns = Record<CsvField, number>;

/** The columns of the downloadable template. */
const TEMPLATE: CsvColumns = { email: 0, firstName: 1, lastName: 2, primaryAttr: 3 };

/** The columns of a file that names none, by its first cells: what `readCells` takes of most rows. */
export const usualColumns = (samples: readonly string[]): CsvColumns => {
  const email = samples.findIndex(isAddress);
  return email > 0 ? { email, firstName: -1, lastName: -1, primaryAttr: -1 } : TEMPLATE;
};

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

/** The same of primary attributes that many organisations have, by their names on the wire. */
const NAMES_OF_PRIMARY: Readonly<Record<string, readonly string[]>> = {
  employeeId: ['employeenumber', 'mitarbeiterid', 'mitarbeiternummer', 'personalnummer'],
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
    primaryAttr: find([plain(primaryAttrField), ...(NAMES_OF_PRIMARY[primaryAttrField] ?? []), ...NAMES.primaryAttr]),
  };
  const isHeader = !row.some(isAddress) && Object.values(columns).some((column) => column >= 0);
  return isHeader ? columns : undefined;
}

const isAddress = (cell: string): boolean => cell.includes('@');

/** What a person's row has in some cell, and the names of columns do not: a digit, or something like a domain. */
const OF_A_PERSON = /\p{N}|\p{L}\.\p{L}|\(at\)/u;

/** Whether a row that names no known column is a header all the same: words, above rows with addresses. */
export function isUnknownHeader(row: readonly string[], below: readonly (readonly string[])[]): boolean {
  const address = below.map((cells) => cells.findIndex(isAddress)).find((at) => at >= 0);
  if (address === undefined || !row[address]?.trim()) return false;
  return !row.some((cell) => isAddress(cell) || OF_A_PERSON.test(cell));
}

/** The columns of a header that names none for addresses: the one that has an address in every row is it. */
export function withAddresses(columns: CsvColumns, below: readonly (readonly string[])[]): CsvColumns {
  if (columns.email >= 0) return columns;
  const named = Object.values(columns);
  const full = (below[0] ?? []).flatMap((_, at) =>
    !named.includes(at) && below.every((cells) => emailField.safeParse(cells[at]).success) ? at : [],
  );
  const [email = -1] = full.length === 1 ? full : [];
  return { ...columns, email };
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
  const isInPlace = columns !== TEMPLATE || isAddress(email);
  if (isInPlace && columns.email >= 0) {
    const [firstName, lastName] = [cell(columns.firstName), cell(columns.lastName)];
    return { email, firstName, lastName, primaryAttr: cell(columns.primaryAttr) };
  }
  const found = row.find(isAddress)?.trim() ?? email;
  return { email: found, firstName: '', lastName: '', primaryAttr: '' };
}
