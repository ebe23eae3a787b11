import { type CsvField, email as emailField } from '@orchestrate/shared';

/** Column index of each field, or -1 if the file doesn't have the field. */
export type CsvColumns = Record<CsvField, number>;

/** Columns of the downloadable template. */
const TEMPLATE: CsvColumns = { email: 0, firstName: 1, lastName: 2, primaryAttr: 3 };

/**
 * Returns the columns for a file without a header, based on each column's first cells and consistent with
 * `readCells`.
 */
export const defaultColumns = (samples: readonly string[]): CsvColumns => {
  const email = samples.findIndex(isAddress);
  return email > 0 ? { email, firstName: -1, lastName: -1, primaryAttr: -1 } : TEMPLATE;
};

const plain = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '');
const words = (text: string): string[] => text.trim().split(/\s+/).map(plain);

/**
 * Column names in Google Workspace, Entra ID, Workday and Okta files, and in English, German, French, Spanish,
 * Swedish and Japanese. If several columns match a field, the earliest name in the list wins.
 */
const NAMES = {
  email: words(`
    email emailaddress mail mailaddress primaryemail orgemail workemail workemailaddress emailwork primaryworkemail
    businessemail companyemail inviteeemail emailaddresstoinvite
    emailadresse mailadresse
    courriel adressecourriel adressemail adresseemail adresseélectronique adressedemessagerie
    correo correoelectrónico direccióndecorreo direccióndecorreoelectrónico dirección_de_email
    epost epostadress mejl mejladress
    メール メールアドレス 電子メール 電子メールアドレス Eメール Eメールアドレス
    userprincipalname username login
  `),
  firstName: words(`
    firstname givenname forename legalfirstname preferredfirstname legalnamefirstname preferrednamefirstname
    vorname prénom prénoms nombre nombres nombredepila primernombre förnamn tilltalsnamn 名 名前(名) ファーストネーム
  `),
  lastName: words(`
    lastname surname familyname legallastname preferredlastname legalnamelastname preferrednamelastname
    nachname familienname nom nomdefamille apellido apellidos primerapellido apellidopaterno efternamn 姓 名字 苗字 名前(姓) ラストネーム
  `),
  primaryAttr: words('primaryattr primaryattribute primäresattribut'),
};

/** Column names for common primary attributes, by wire name. */
const NAMES_OF_PRIMARY: Readonly<Record<string, readonly string[]>> = {
  employeeId: words(`
    employeeid employeenumber employeeno workerid personnelnumber staffid
    mitarbeiterid mitarbeiternummer personalnummer personalnr matricule numérodemployé idemployé
    númerodeempleado nºdeempleado idempleado iddeempleado anställningsnummer anställningsid 社員番号 従業員番号 社員ID 従業員ID
  `),
};

/** Returns the spellings in a header cell. For example, `User name [userPrincipalName] Required` contains two names. */
function spellings(cell: string): string[] {
  const bare = cell.replace(/[[(].*?[\])]/g, ' ').replace(/\b(?:required|optional)\b|[*:]/gi, ' ');
  const bracketed = [...cell.matchAll(/[[(](.*?)[\])]/g)].map(([, content = '']) => content);
  return [cell, bare, ...bracketed].map(plain).filter(Boolean);
}

/**
 * Returns the columns named in a row, in any order, case and spelling, or undefined for an ordinary row.
 * @param primaryAttrField the organisation's name for its primary attribute.
 */
export function readHeader(row: readonly string[], primaryAttrField: string): CsvColumns | undefined {
  const names = row.map(spellings);
  const find = (known: readonly string[]) => {
    const [first = -1] = known.flatMap((name) => {
      const column = names.findIndex((spelled) => spelled.includes(name));
      return column < 0 ? [] : column;
    });
    return first;
  };
  const columns = {
    email: find(NAMES.email),
    firstName: find(NAMES.firstName),
    lastName: find(NAMES.lastName),
    primaryAttr: find([plain(primaryAttrField), ...(NAMES_OF_PRIMARY[primaryAttrField] ?? []), ...NAMES.primaryAttr]),
  };
  const isHeader = !row.some(isAddress) && Object.values(columns).some((column) => column >= 0);
  return isHeader ? columns : undefined;
}

/** Maximum number of rows above the header, such as a title, a date or a format version. */
const ABOVE_MAX = 5;

/**
 * Returns the index of the header, or of the first person if there is no header. A header that isn't the first row
 * must name several columns, unless no row above it has an address. A header with only unknown words must follow rows
 * with a single cell, such as titles.
 */
export function firstRowIndex(rows: readonly (readonly string[])[], primaryAttrField: string): number {
  const searched = rows.slice(0, ABOVE_MAX + 1);
  const header = searched.findIndex((row, at) => {
    const columns = readHeader(row, primaryAttrField);
    const named = Object.values(columns ?? {}).filter((column) => column >= 0).length;
    return named > 1 || (named === 1 && !rows.slice(0, at).some((above) => above.some(isAddress)));
  });
  if (header >= 0) return header;
  const below = searched.findIndex((row) => row.some(isAddress) || row.filter((cell) => cell.trim()).length > 1);
  return below > 0 && isUnknownHeader(rows[below] ?? [], rows.slice(below + 1)) ? below : 0;
}

const isAddress = (cell: string): boolean => cell.includes('@');

/**
 * Matches cells that occur only in rows of people, because they contain a digit, a dot between letters as in a
 * domain, or `(at)`.
 */
const OF_A_PERSON = /\p{N}|\p{L}\.\p{L}|\(at\)/u;

/**
 * Returns true if a row without known column names is still a header, because it contains only words and the rows
 * below contain addresses.
 */
export function isUnknownHeader(row: readonly string[], below: readonly (readonly string[])[]): boolean {
  const address = below.map((cells) => cells.findIndex(isAddress)).find((at) => at >= 0);
  if (address === undefined || !row[address]?.trim()) return false;
  return !row.some((cell) => isAddress(cell) || OF_A_PERSON.test(cell));
}

/** Adds the address column if the header doesn't name it and exactly one column has an address in every row. */
export function withAddressColumn(columns: CsvColumns, below: readonly (readonly string[])[]): CsvColumns {
  if (columns.email >= 0) return columns;
  const named = Object.values(columns);
  const full = (below[0] ?? []).flatMap((_, at) =>
    !named.includes(at) && below.every((cells) => emailField.safeParse(cells[at]).success) ? at : [],
  );
  const [email = -1] = full.length === 1 ? full : [];
  return { ...columns, email };
}

/** Returns the manually chosen columns, given in file order. */
export const chosenColumns = (named: readonly (CsvField | '')[]): CsvColumns => ({
  email: named.indexOf('email'),
  firstName: named.indexOf('firstName'),
  lastName: named.indexOf('lastName'),
  primaryAttr: named.indexOf('primaryAttr'),
});

/** Reads a row. If the address isn't in its column, uses any cell that looks like an address. */
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
