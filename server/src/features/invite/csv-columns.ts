import { type CsvField, email as emailField } from '@orchestrate/shared';

/** Column index per field; -1 for fields that the file doesn't have. */
export type CsvColumns = Record<CsvField, number>;

/** Columns of the downloadable template. */
const TEMPLATE: CsvColumns = { email: 0, firstName: 1, lastName: 2, primaryAttr: 3 };

/** Returns the columns of a file without a header, based on its first cells and consistent with `readCells`. */
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
 * Column names in files of Google Workspace, Entra ID, Workday and Okta, and in English, German, French, Spanish,
 * Swedish and Japanese. If several columns match a field, the first name in this list wins.
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

/** Column names of common primary attributes, by their names on the wire. */
const NAMES_OF_PRIMARY: Readonly<Record<string, readonly string[]>> = {
  employeeId: words(`
    employeeid employeenumber employeeno workerid personnelnumber staffid
    mitarbeiterid mitarbeiternummer personalnummer personalnr matricule numérodemployé idemployé
    númerodeempleado nºdeempleado idempleado iddeempleado anställningsnummer anställningsid 社員番号 従業員番号 社員ID 従業員ID
  `),
};

/** Returns the spellings in a header cell: `User name [userPrincipalName] Required` contains two names. */
function spellings(cell: string): string[] {
  const bare = cell.replace(/[[(].*?[\])]/g, ' ').replace(/\b(?:required|optional)\b|[*:]/gi, ' ');
  const bracketed = [...cell.matchAll(/[[(](.*?)[\])]/g)].map(([, content = '']) => content);
  return [cell, bare, ...bracketed].map(plain).filter(Boolean);
}

/**
 * Returns the columns named in a row, in any order, case and spelling; undefined for an ordinary row.
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

/** Maximum number of rows above the header: a title, a date, a format version. */
const ABOVE_MAX = 5;

/**
 * Returns the index of the header, or of the first person if there is none. Below other rows a header must name
 * several columns, unless no row above it has an address; one in unknown words must be below rows of one cell, as
 * titles are.
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

/** Matches cells that only rows of people have: a digit, or something like a domain. */
const OF_A_PERSON = /\p{N}|\p{L}\.\p{L}|\(at\)/u;

/** Returns true if a row without known column names is still a header: words above rows with addresses. */
export function isUnknownHeader(row: readonly string[], below: readonly (readonly string[])[]): boolean {
  const address = below.map((cells) => cells.findIndex(isAddress)).find((at) => at >= 0);
  if (address === undefined || !row[address]?.trim()) return false;
  return !row.some((cell) => isAddress(cell) || OF_A_PERSON.test(cell));
}

/** Adds the address column to a header without one: the only column that has an address in every row. */
export function withAddressColumn(columns: CsvColumns, below: readonly (readonly string[])[]): CsvColumns {
  if (columns.email >= 0) return columns;
  const named = Object.values(columns);
  const full = (below[0] ?? []).flatMap((_, at) =>
    !named.includes(at) && below.every((cells) => emailField.safeParse(cells[at]).success) ? at : [],
  );
  const [email = -1] = full.length === 1 ? full : [];
  return { ...columns, email };
}

/** Returns the columns chosen by hand, in file order. */
export const chosenColumns = (named: readonly (CsvField | '')[]): CsvColumns => ({
  email: named.indexOf('email'),
  firstName: named.indexOf('firstName'),
  lastName: named.indexOf('lastName'),
  primaryAttr: named.indexOf('primaryAttr'),
});

/** Reads a row; if the address isn't in its column, uses any cell that looks like one. */
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
