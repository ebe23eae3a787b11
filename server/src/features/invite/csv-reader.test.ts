import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCsvReader, readCsvBlocks } from './csv-reader.ts';
import type { InviteRow } from './invite-row.ts';

/** Reads a file that arrives in chunks of `pieceBytes`. */
async function read(file: string | Buffer, pieceBytes = 1_000): Promise<InviteRow[]> {
  const bytes = Buffer.from(file);
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  }
  const reader = createCsvReader('employeeId');
  const rows: InviteRow[] = [];
  for await (const block of readCsvBlocks(pieces())) rows.push(...reader.read(block));
  return rows;
}

const ann = { email: 'ann@acme.test', firstName: 'Ann', lastName: 'Lee', primaryAttr: 'E-1' };

test.each([
  ['with commas', 'email,firstName,lastName,primaryAttr\nann@acme.test,Ann,Lee,E-1\n', 2],
  ['with semicolons', 'email;firstName;lastName;primaryAttr\nann@acme.test;Ann;Lee;E-1\n', 2],
  ['with tabs', 'email\tfirstName\tlastName\tprimaryAttr\nann@acme.test\tAnn\tLee\tE-1\n', 2],
  ['with quotes', '"email","firstName","lastName","primaryAttr"\n"ann@acme.test","Ann","Lee","E-1"\n', 2],
  ['with CRLF', 'email,firstName,lastName,primaryAttr\r\nann@acme.test,Ann,Lee,E-1\r\n', 2],
  ['with CR alone', 'email,firstName,lastName,primaryAttr\rann@acme.test,Ann,Lee,E-1\r', 2],
  ['with a byte order mark', '\uFEFFemail,firstName,lastName,primaryAttr\nann@acme.test,Ann,Lee,E-1', 2],
  ['with a delimiter hint (sep=;)', 'sep=;\nemail;firstName;lastName;primaryAttr\nann@acme.test;Ann;Lee;E-1', 3],
  ['with columns in another order', 'Employee ID,LAST NAME,E-Mail,First_Name\nE-1,Lee,ann@acme.test,Ann\n', 2],
  [
    'with additional columns',
    'Department,email,firstName,x,lastName,y,employeeId\nHR,ann@acme.test,Ann,,Lee,,E-1\n',
    2,
  ],
  ['with empty lines', '\n\nemail,firstName,lastName,primaryAttr\n\n , , , \nann@acme.test,Ann,Lee,E-1\n\n', 6],
  ['without a header', 'ann@acme.test,Ann,Lee,E-1\n', 1],
  ['without a final line break', 'ann@acme.test, Ann , Lee,E-1', 1],
])('reads a file %s', async (_how, file, line) => {
  for (const pieceBytes of [1, 7, 1_000]) expect(await read(file, pieceBytes)).toEqual([{ line, ...ann }]);
});

const TEXT = 'email,firstName,lastName,primaryAttr\nann@acme.test,Zoë,Müller-Weiß,E-1\n';

test.each([
  ['UTF-8', Buffer.from(TEXT)],
  ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${TEXT}`)],
  ['Windows-1252', Buffer.from(TEXT, 'latin1')],
  ['little-endian UTF-16', Buffer.from(`\uFEFF${TEXT}`, 'utf16le')],
  ['big-endian UTF-16', Buffer.from(`\uFEFF${TEXT}`, 'utf16le').swap16()],
])('reads names in %s', async (_encoding, bytes) => {
  for (const pieceBytes of [1, 2, 3, 5, 1_000]) {
    expect(await read(bytes, pieceBytes)).toEqual([{ line: 2, ...ann, firstName: 'Zoë', lastName: 'Müller-Weiß' }]);
  }
});

test('reads a final umlaut and Windows-1252-only characters in a Windows-1252 file', async () => {
  const bytes = Buffer.from('email,firstName\nann@acme.test,\x8aime\x9e', 'latin1');
  expect(await read(bytes, 7)).toMatchObject([{ firstName: 'Šimež' }]);
  expect(await read(Buffer.from('ann@acme.test,Zo\xeb', 'latin1'), 3)).toMatchObject([{ firstName: 'Zoë' }]);
});

test('reads a file as UTF-8 even if one row isn’t UTF-8', async () => {
  const [before, after] = [Buffer.from('a@acme.test,Zoë\nb@acme.test,Zo'), Buffer.from('\nc@acme.test,Noé\n')];
  const rows = await read(Buffer.concat([before, Buffer.from([0xeb]), after]));
  expect(rows.map(({ firstName }) => firstName)).toEqual(['Zoë', 'Zo\uFFFD', 'Noé']);
});

test.each([
  ['Courriel,Prénom,Nom,Matricule', 'a@acme.test,Ann,Lee,E-1'],
  ['Matricule;Nom;Prénom;Adresse de messagerie', 'E-1;Lee;Ann;a@acme.test'],
  ['E-mail (pro.);Nom', 'a@acme.test;Lee'],
])('treats the unknown first row “%s” as a header', async (header, row) => {
  expect(await read(`${header}\n${row}\n`)).toMatchObject([{ line: 2, email: 'a@acme.test' }]);
});

test.each([['zoe.acme.test,Zoë,Ek,N-1'], ['zoe(at)acme.test,Zoë,Ek,Staff'], [',Zoë,Ek,Staff'], ['zoe,Zoë,Ek,N-1']])(
  'treats a first row with an invalid address, “%s”, as a member',
  async (row) => {
    expect(await read(`${row}\na@acme.test,Ann,Lee,E-1\n`)).toMatchObject([{ line: 1 }, { line: 2 }]);
  },
);

test('accepts a file with only addresses, and finds the address column without a header', async () => {
  expect((await read('a@acme.test\nb@acme.test\n')).map(({ email }) => email)).toEqual(['a@acme.test', 'b@acme.test']);
  expect(await read('7,Lee,a@acme.test,HR\n')).toEqual([
    { line: 1, email: 'a@acme.test', firstName: '', lastName: '', primaryAttr: '' },
  ]);
});

test('accepts rows shorter or longer than the header, up to a hundred columns', async () => {
  const wide = Array.from({ length: 100 }, (_, index) => (index === 60 ? 'email' : `column ${index}`)).join(',');
  const row = Array.from({ length: 100 }, (_, index) => (index === 60 ? 'a@acme.test' : `value ${index}`)).join(',');
  const rows = await read(`${wide}\n${row}\nshort\n${row},more,and more\n`);
  expect(rows.map(({ line, email }) => [line, email])).toEqual([
    [2, 'a@acme.test'],
    [3, ''],
    [4, 'a@acme.test'],
  ]);
});

test('keeps separators, quotes and line breaks inside quotes', async () => {
  const rows = await read(
    'email,firstName,lastName,primaryAttr,note\na@acme.test,"Ann ""Al""","Lee, Jr.",E-1,"first\nsecond, ""third"""\nb@acme.test,B,C,E-2,\n',
  );
  expect(rows).toEqual([
    { line: 2, email: 'a@acme.test', firstName: 'Ann "Al"', lastName: 'Lee, Jr.', primaryAttr: 'E-1' },
    { line: 4, email: 'b@acme.test', firstName: 'B', lastName: 'C', primaryAttr: 'E-2' },
  ]);
});

test.each(['\n', '\r\n'])('replaces a quoted line break in a name with a space in a single row', async (lineBreak) => {
  const rows = await read(
    ['email,firstName,lastName,primaryAttr', 'a@acme.test,"Two', 'Lines",Doe,"E-1', '"', 'b@acme.test,B,C,E-2'].join(
      lineBreak,
    ),
  );
  expect(rows).toEqual([
    { line: 2, email: 'a@acme.test', firstName: 'Two Lines', lastName: 'Doe', primaryAttr: 'E-1' },
    { line: 5, email: 'b@acme.test', firstName: 'B', lastName: 'C', primaryAttr: 'E-2' },
  ]);
});

const people = (count: number) =>
  Array.from({ length: count }, (_, index) => `p${index}@acme.test,First,Last,E-${index}`);

test.each([
  ['at the beginning of a cell', 'bad@acme.test,"Ann,Lee,E-x'],
  ['within a cell', 'bad@acme.test,An"n,Lee,E-x'],
  ['at the beginning of the row', '"bad@acme.test,Ann,Lee,E-x'],
  ['and a second one in the row', 'bad@acme.test,"Ann,"Lee,E-x'],
])('limits the effect of a stray quote %s to its own row', async (_where, bad) => {
  for (const count of [3, 20_000]) {
    const [before, after] = [people(count).slice(0, count / 2), people(count).slice(count / 2)];
    const rows = await read(['email,firstName,lastName,primaryAttr', ...before, bad, ...after].join('\n'), 65_536);
    const good = rows.filter(({ email }) => /^p\d+@acme\.test$/.test(email));
    expect(good).toHaveLength(count);
    expect(good.at(-1)).toMatchObject({ line: count + 2, primaryAttr: `E-${count - 1}` });
  }
});

test('doesn’t merge the rows between two rows with stray quotes', async () => {
  const rows = await read(
    ['a@acme.test,"Ann,Lee,E-1', 'b@acme.test,B,C,E-2', 'c@acme.test,C"",D,E-3', 'd@acme.test,"D,E,E-4'].join('\n'),
  );
  expect(rows.map(({ email }) => email)).toEqual(expect.arrayContaining(['b@acme.test']));
});

test('skips an endless row and reads the rows around it', async () => {
  const rows = await read(`first@acme.test\n${'x'.repeat(1_000_000)}\nlast@acme.test\n`, 65_536);
  expect(rows.at(0)).toMatchObject({ email: 'first@acme.test', line: 1 });
  expect(rows.at(-1)).toMatchObject({ email: 'last@acme.test', line: 3 });
});

test('reads a file identically however it is split into chunks', async () => {
  const cell = fc.string({ unit: fc.constantFrom('a', 'ü', '😀', '"', ',', ';', '\n', '\r', ' ', '@') });
  const file = fc.array(
    fc.array(cell, { maxLength: 6 }).map((cells) => cells.join(',')),
    { maxLength: 30 },
  );
  await fc.assert(
    fc.asyncProperty(file, fc.integer({ min: 1, max: 50 }), async (lines, pieceBytes) => {
      const text = lines.join('\n');
      expect(await read(text, pieceBytes)).toEqual(await read(text, 1_000_000));
    }),
  );
});

test.each([
  ['an image', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
  ['an archive', Buffer.from('504b0304140006000800000021', 'hex')],
  ['UTF-16 without a byte order mark', Buffer.from('email\na@acme.test\n', 'utf16le')],
  ['text with a NUL', Buffer.from('a@acme.test\nb\0@acme.test\n')],
])('rejects %s, which is not a CSV file (415)', async (_what, bytes) => {
  await expect(read(bytes)).rejects.toMatchObject({ result: 'BAD_REQUEST', status: 415 });
});
