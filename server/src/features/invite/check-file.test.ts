import { bulkInvite, CHECKED_PEOPLE_MAX, checkBulkInvite, searchUsers } from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { setOrganisation } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
let token: string;
beforeEach(async () => {
  portal = await testPortal();
  ({ token } = await portal.signIn('helpdesk.admin@acme.test'));
  setOrganisation(portal, 'acme', { allowedEmailDomains: '[]' });
});
afterEach(() => portal.close());

const HEADER = 'email,firstName,lastName,primaryAttr';
const NEWCOMER = 'mara.lindholm@acme.test';

function formOf(lines: readonly string[] | Buffer<ArrayBuffer>): FormData {
  const form = new FormData();
  form.set('type', 'mobile');
  form.set('sendEmail', 'true');
  form.set('file', new File([Buffer.isBuffer(lines) ? lines : lines.join('\n')], 'people.csv'));
  return form;
}
type CsvQuery = { columns?: string; addNew?: 'true' | 'false' };
const check = (lines: readonly string[] | Buffer<ArrayBuffer>, query: CsvQuery = {}, as = token) =>
  portal.call(checkBulkInvite, { query, body: formOf(lines) }, { token: as });
const upload = (lines: readonly string[], query: CsvQuery = {}) =>
  portal.call(bulkInvite, { query, body: formOf(lines) }, { token });

/** Returns every row of every table, without the sessions' last-used times. */
function allRows(): string {
  const db = portal.deps.db.$client;
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all() as string[];
  return JSON.stringify(tables.map((name) => [name, db.prepare(`SELECT * FROM "${name}"`).all()]));
}

const LINES = [
  HEADER,
  NEWCOMER,
  'zoe@acme.test,Zoë,Ek,N-1',
  'nobody@acme.test',
  'user@acme.test',
  'zoe@acme.test,Zoë,Ek,N-1',
  'ann@acme.test,Ann,Ek,N-1',
  'not an address,A,B,C',
];

test('checks a file row by row and writes nothing', async () => {
  const before = allRows();
  const { status, body } = await check(LINES);
  expect(status).toBe(200);
  expect(allRows()).toBe(before);
  expect(body).toMatchObject({ rows: 7, isWhole: true });
  expect(body.counts).toEqual({ member: 1, new: 1, registered: 1, duplicate: 1, refused: 3 });
  expect(body.people.map(({ line, outcome, reason }) => [line, outcome, reason])).toEqual([
    [2, 'member', undefined],
    [3, 'new', undefined],
    [4, 'refused', 'No member has this address. Fill in all four columns to add a new member.'],
    [5, 'registered', 'This person has already registered a device.'],
    [6, 'duplicate', 'Duplicate of line 3.'],
    [7, 'refused', 'Another member already uses “N-1”.'],
    [8, 'refused', 'This is not an email address.'],
  ]);
  expect(body.people[1]).toMatchObject({ email: 'zoe@acme.test', name: 'Zoë Ek' });
});

test('predicts the upload’s result, even for duplicate rows that are far apart', {
  tags: 'whole',
}, async () => {
  const many = Array.from({ length: 2_000 }, (_, at) => `p${at}@acme.test,P,Q,P-${at}`);
  const lines = [...LINES, ...many, ...many.slice(0, 500), 'q@acme.test,Q,Q,P-7'];
  const { counts, people, rows } = (await check(lines)).body;
  expect(counts).toEqual({ member: 1, new: 2_001, registered: 1, duplicate: 501, refused: 4 });
  expect(people.filter(({ outcome }) => outcome === 'new')).toHaveLength(CHECKED_PEOPLE_MAX);
  const done = (await upload(lines)).body;
  expect(done).toMatchObject({ rows, created: counts.new, invited: counts.new + counts.member });
  expect({ registered: done.unchanged, duplicate: done.duplicates }).toEqual({
    registered: counts.registered,
    duplicate: counts.duplicate,
  });
  expect(done.rejectedCount + done.emailsNotExistCount).toBe(counts.refused);
});

test('distinguishes members with a valid invitation from registered ones', async () => {
  const lines = [HEADER, NEWCOMER, 'user@acme.test'];
  await upload(lines);
  const { counts, people } = (await check(lines)).body;
  expect(counts).toMatchObject({ member: 0, registered: 2 });
  expect(people.map(({ reason }) => reason)).toEqual([
    'This person has already been invited.',
    'This person has already registered a device.',
  ]);
});

test('adds new members from a file with only addresses, deriving their names', async () => {
  const lines = ['email', 'ada.berg@acme.test', NEWCOMER, 'bo@acme.test'];
  const addNew = 'true';
  const { counts } = (await check(lines, { addNew })).body;
  expect(counts).toMatchObject({ member: 1, new: 2, refused: 0 });
  expect((await check(lines)).body.counts).toMatchObject({ member: 1, new: 0, refused: 2 });
  const done = (await upload(lines, { addNew })).body;
  expect(done).toMatchObject({ created: 2, invited: 3, emailsNotExist: '' });
  const found = await portal.call(searchUsers, { query: { q: 'Ada Berg', field: 'any' } }, { token });
  expect(found.body.Items).toMatchObject([{ firstName: 'Ada', lastName: 'Berg', primaryAttr: 'ada.berg@acme.test' }]);
});

test('reports an address without a domain as invalid', async () => {
  const lines = [HEADER, 'anna@acme,Anna,Ek,N-1', 'anna@acme'];
  const reason = 'This email address is incomplete or contains an invalid character.';
  const { people } = (await check(lines)).body;
  expect(people.map((person) => person.reason)).toEqual([reason, reason]);
  const { rejected, emailsNotExist } = (await upload(lines)).body;
  expect(rejected).toEqual([{ line: 2, value: 'anna@acme', reason }]);
  expect(emailsNotExist).toBe('anna@acme');
});

test('checks a file before a device type is chosen, except for type-dependent rules', async () => {
  setOrganisation(portal, 'acme', { mobileAppEnabled: 0 });
  const body = formOf([HEADER, NEWCOMER, 'user@acme.test', 'anna@acme']);
  body.delete('type');
  const { counts } = (await portal.call(checkBulkInvite, { body }, { token })).body;
  expect(counts).toEqual({ member: 2, new: 0, registered: 0, duplicate: 0, refused: 1 });
  const refused = formOf([NEWCOMER]);
  refused.delete('type');
  expect((await portal.call(bulkInvite, { body: refused }, { token })).body.issues).toMatchObject([{ path: 'type' }]);
});

const PERSON = { email: 'zoe@acme.test', firstName: 'Zoë', lastName: 'Ek', primaryAttr: 'N-1' };
const row = (order: string, delimiter = ',') =>
  order
    .split(' ')
    .map((field) => PERSON[field as keyof typeof PERSON] ?? 'x')
    .join(delimiter);

test.each([
  [
    'a Google Workspace file',
    ['First Name [Required],Last Name [Required],Email Address [Required],Password [Required],Employee ID'],
    row('firstName lastName email password primaryAttr'),
  ],
  [
    'an Entra ID file',
    [
      'version:v1.0',
      'Name [displayName] Required,User name [userPrincipalName] Required,First name [givenName],Last name [surname],Employee ID [employeeId]',
    ],
    row('name email firstName lastName primaryAttr'),
  ],
  [
    'a Workday file',
    ['Worker ID,Legal First Name,Legal Last Name,Primary Work Email'],
    row('primaryAttr firstName lastName email'),
  ],
  [
    'a report from Workday',
    ['All Workers', '', 'Employee ID,Legal Name - First Name,Legal Name - Last Name,Email - Primary Work'],
    row('primaryAttr firstName lastName email'),
  ],
  [
    'a file with a quoted delimiter hint',
    ['"sep=;"', 'email;firstName;lastName;employeeId'],
    row('email firstName lastName primaryAttr', ';'),
  ],
  [
    'a file with a title above the header',
    ['Employees, Acme Corp, 2026', '', 'Nachname;Vorname;E-Mail;Personalnummer'],
    row('lastName firstName email primaryAttr', ';'),
  ],
  ['a French file', ['Matricule;Nom;Prénom;Adresse e-mail'], row('primaryAttr lastName firstName email', ';')],
  [
    'a Spanish file',
    ['Nombre;Apellidos;Correo electrónico;Número de empleado'],
    row('firstName lastName email primaryAttr', ';'),
  ],
  [
    'a Mexican file',
    ['Nº de empleado;Primer nombre;Apellido paterno;Correo'],
    row('primaryAttr firstName lastName email', ';'),
  ],
  [
    'a Swedish file',
    ['Förnamn;Efternamn;E-postadress;Anställnings-ID'],
    row('firstName lastName email primaryAttr', ';'),
  ],
  ['a Japanese file', ['社員番号,姓,名,メールアドレス'], row('primaryAttr lastName firstName email')],
  [
    'a German file',
    ['Personalnummer;Familienname;Vorname;E-Mail-Adresse'],
    row('primaryAttr lastName firstName email', ';'),
  ],
  [
    'a German file with abbreviations',
    ['Personalnr.;Nachname;Vorname;E-Mail'],
    row('primaryAttr lastName firstName email', ';'),
  ],
])('recognises the columns from the header of %s', async (_source, above, person) => {
  const { people, rows } = (await check([...above, person])).body;
  expect([rows, people]).toEqual([
    1,
    [{ line: above.length + 1, email: 'zoe@acme.test', name: 'Zoë Ek', outcome: 'new' }],
  ]);
});

test('skips a title above the header, even if it doesn’t recognise the header’s words', async () => {
  const { people, columns } = (await check(['Henkilöstö', 'Osasto;Sähköposti', `HR;${NEWCOMER}`])).body;
  expect(columns.map(({ header }) => header)).toEqual(['Osasto', 'Sähköposti']);
  expect(people).toMatchObject([{ line: 3, outcome: 'member' }]);
});

test('lists the columns and the field recognised for each', async () => {
  const { columns } = (await check(['Abteilung;Surname;E-Mail;Etunimi', 'HR;Ek;zoe@acme.test;Zoë'])).body;
  expect(columns).toEqual([
    { header: 'Abteilung', sample: 'HR', field: null },
    { header: 'Surname', sample: 'Ek', field: 'lastName' },
    { header: 'E-Mail', sample: 'zoe@acme.test', field: 'email' },
    { header: 'Etunimi', sample: 'Zoë', field: null },
  ]);
  const german = (await check(['Nachname;Vorname;E-Mail-Adresse', 'Ek;Zoë;zoe@acme.test'])).body.columns;
  expect(german.map(({ field }) => field)).toEqual(['lastName', 'firstName', 'email']);
  for (const name of ['Mitarbeiter-ID', 'Personalnummer', 'Employee number']) {
    const [, number] = (await check([`E-Mail;${name}`, 'zoe@acme.test;N-9'])).body.columns;
    expect(number).toEqual({ header: name, sample: 'N-9', field: 'primaryAttr' });
  }
  expect((await check(['zoe@acme.test,Zoë'])).body.columns).toEqual([
    { header: '', sample: 'zoe@acme.test', field: 'email' },
    { header: '', sample: 'Zoë', field: 'firstName' },
  ]);
});

test('lists only the address column and other used columns if there is no header', async () => {
  const { columns, people } = (await check(['N-9;Ek;zoe@acme.test;Zoë', `N-8;Lindholm;${NEWCOMER};Mara`])).body;
  expect(columns.map(({ field }) => field)).toEqual([null, null, 'email', null]);
  expect(people.map(({ email, name, outcome }) => [email, name, outcome])).toEqual([
    ['zoe@acme.test', '', 'refused'],
    [NEWCOMER, '', 'member'],
  ]);
});

test('treats an unrecognised header row as column names rather than as a member', async () => {
  const { columns, counts, rows } = (await check(['Osasto;Sähköposti', `N-8;${NEWCOMER}`])).body;
  expect(columns).toEqual([
    { header: 'Osasto', sample: 'N-8', field: null },
    { header: 'Sähköposti', sample: NEWCOMER, field: 'email' },
  ]);
  expect([rows, counts.member, counts.refused]).toEqual([1, 1, 0]);
  expect((await upload(['Osasto;Sähköposti', `N-8;${NEWCOMER}`])).body).toMatchObject({ rows: 1, emailsNotExist: '' });
});

test('if no header names the address, uses the only column with an address in every row', async () => {
  const header = 'Nachname;Vorname;Personalnummer;Sähköposti;Notiz';
  const rows = ['Ek;Zoë;N-1;zoe@acme.test;', 'Ek;Ann;N-2;ann@acme.test;fragt ann@home.test'];
  const { columns, counts } = (await check([header, ...rows])).body;
  expect(columns.map(({ field }) => field)).toEqual(['lastName', 'firstName', 'primaryAttr', 'email', null]);
  expect(counts).toMatchObject({ new: 2, refused: 0 });
  expect((await upload([header, ...rows])).body).toMatchObject({ rows: 2, created: 2 });
  for (const unsure of [
    ['Nachname;Sähköposti;Chef', 'Ek;zoe@acme.test;boss@acme.test'],
    ['Nachname;Sähköposti', 'Ek;zoe@acme.test', 'Lind;'],
    ['Nachname;Sähköposti', 'Ek;@zoe'],
  ]) {
    expect((await check(unsure)).body.columns.some(({ field }) => field === 'email')).toBe(false);
  }
});

test('displays line breaks in headers and samples as spaces', async () => {
  const { columns } = (await check(['email,"First\nName"', `${NEWCOMER},"Mara\r\nMaria"`])).body;
  expect(columns[1]).toMatchObject({ header: 'First Name', sample: 'Mara Maria' });
});

test('reports the file encoding', async () => {
  const lines = `${HEADER}\nzoe@acme.test,Zoë,Weiß,N-1`;
  for (const [bytes, encoding] of [
    [Buffer.from(lines), 'utf-8'],
    [Buffer.from(lines, 'latin1'), 'windows-1252'],
    [Buffer.from(`\uFEFF${lines}`, 'utf16le'), 'utf-16'],
    [Buffer.from(`${HEADER}\n${NEWCOMER}`), 'utf-8'],
  ] as const) {
    expect((await check(bytes)).body).toMatchObject({ rows: 1, encoding });
  }
});

test('reads manually chosen columns in both the check and the upload', async () => {
  const lines = ['Numero;Sukunimi;Sähköposti;Etunimi', 'N-9;Ek;zoe@acme.test;Zoë'];
  const columns = 'primaryAttr,lastName,email,firstName';
  expect((await check(lines)).body.counts).toMatchObject({ new: 0, refused: 1 });
  const { counts, people } = (await check(lines, { columns })).body;
  expect(counts).toEqual({ member: 0, new: 1, registered: 0, duplicate: 0, refused: 0 });
  expect(people).toEqual([{ line: 2, email: 'zoe@acme.test', name: 'Zoë Ek', outcome: 'new' }]);
  expect((await upload(lines, { columns })).body).toMatchObject({ rows: 1, created: 1 });
});

test.each([
  ['email,email', 'Each field can have only one column'],
  ['email,surname', 'Use email, firstName, lastName, primaryAttr, or leave the column empty'],
])('rejects the columns %s', async (columns, message) => {
  for (const send of [check, upload]) {
    const { status, body } = await send([NEWCOMER], { columns });
    expect(status).toBe(400);
    expect(JSON.stringify(body.issues)).toContain(message);
  }
});

test('rejects the same requests in the check as in the upload', async () => {
  const outsider = await portal.signIn('user@acme.test');
  expect((await check(LINES, {}, outsider.token)).status).toBe(403);
  expect((await check([HEADER])).body.resultName).toBe('NO_DATA');
  setOrganisation(portal, 'acme', { mobileAppEnabled: 0 });
  expect((await check(LINES)).body.resultName).toBe('AUTHENTICATOR_DISALLOWED');
  const body = formOf(LINES);
  body.set('file', new File(['x'], 'people.pdf'));
  expect((await portal.call(checkBulkInvite, { body }, { token })).status).toBe(415);
});
