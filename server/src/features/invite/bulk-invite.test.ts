import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { bulkInvite, bulkInviteLive, codeOf, getProfile, LIMITS, readOutbox, searchUsers } from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { memberByEmail, setOrganisation } from '#testing/device.ts';
import { type TestPortal, type TestPortalOptions, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
let token: string;

async function open(options: TestPortalOptions = {}) {
  portal = await testPortal(options);
  ({ token } = await portal.signIn('helpdesk.admin@acme.test'));
}
beforeEach(() => open());
afterEach(() => portal.close());

const NEWCOMER = 'mara.lindholm@acme.test';
const HEADER = 'email,firstName,lastName,primaryAttr';

interface Upload {
  type?: string;
  sendEmail?: string;
  uploadId?: string;
  name?: string;
  order?: readonly string[];
}

function formOf(content: string | Buffer, { order, name = 'people.csv', ...fields }: Upload = {}): FormData {
  const form = new FormData();
  const values: Record<string, string> = { type: 'mobile', sendEmail: 'false', uploadId: 'u-1', ...fields };
  for (const part of order ?? ['type', 'sendEmail', 'uploadId', 'file']) {
    form.append(part, part === 'file' ? new File([content], name) : (values[part] ?? ''));
  }
  return form;
}
const upload = (content: string | Buffer, options?: Upload) =>
  portal.call(bulkInvite, { body: formOf(content, options) }, { token });

const row = (index: number) => `new.person.${index}@acme.test,New,Person,N-${index}`;
const fileOf = (count: number, from = 0) =>
  [HEADER, ...Array.from({ length: count }, (_, index) => row(from + index))].join('\n');
const countNew = () =>
  portal.deps.db.$client.prepare(`SELECT count(*) FROM members WHERE primaryEmail LIKE 'new.person.%'`).pluck().get();
const mailsTo = async (to: string) => (await portal.call(readOutbox, { query: { to } })).body.messages;

// covers: spec 1.7.36
test('accepts a file that starts with the downloaded template', async () => {
  setOrganisation(portal, 'acme', { allowedEmailDomains: '[]' });
  const template = readFileSync(join(import.meta.dirname, '../../../../web/public/invite-template.csv'), 'utf8');
  const { body } = await upload(template + row(1));
  expect(body).toMatchObject({ resultCode: 0, rows: 1, created: 1, rejected: [] });
});

// covers: spec 1.7.11
test('invites known addresses, and creates members for unknown addresses with names', async () => {
  setOrganisation(portal, 'acme', { allowedEmailDomains: '[]' });
  const { status, body } = await upload(
    [HEADER, NEWCOMER, row(1), 'nobody@acme.test', 'user@acme.test,,,', 'admin@globex.test,Ingrid,Solberg,G-1'].join(
      '\n',
    ),
    { sendEmail: 'true' },
  );
  expect(status).toBe(200);
  expect(body).toMatchObject({
    resultCode: 0,
    rows: 5,
    invited: 3,
    created: 2,
    unchanged: 1,
    emailsNotExist: 'nobody@acme.test',
    emailsNotExistCount: 1,
    rejected: [],
    rejectedCount: 0,
  });
  expect(memberByEmail(portal, 'acme', 'new.person.1@acme.test')).toMatchObject({
    accountStatus: 'invited',
    firstName: 'New',
    lastName: 'Person',
    primaryAttr: 'N-1',
    roleCode: 'USER',
  });
  const [mail] = await mailsTo('new.person.1@acme.test');
  expect(mail).toMatchObject({
    subject: 'You are invited to Acme Corporation',
    text: expect.stringContaining('Hello New'),
  });
  // The other organisation's member is not affected.
  expect(memberByEmail(portal, 'globex', 'admin@globex.test').firstName).toBe('Ingrid');
});

const MALFORMED = 'This email address is incomplete or contains an invalid character.';

test('accepts addresses in any case, with spaces or a plus, and names in any language', async () => {
  const rows = [
    ` ${NEWCOMER.toUpperCase()} ,,,`,
    'Zoe+Portal@ACME.test,Zoë,Ćwikła,N-1',
    'li@acme.test,李,小龍 🐉,N-2',
    'zoe+portal@acme.test,Zoë,Ćwikła,N-1',
    'ünï@acme.test,Uni,Code,N-3',
  ];
  const { body } = await upload([HEADER, ...rows].join('\n'), { sendEmail: 'true' });
  expect(body).toMatchObject({
    rows: 5,
    invited: 3,
    created: 2,
    duplicates: 1,
    unchanged: 0,
    emailsNotExist: '',
    rejected: [{ line: 6, value: 'ünï@acme.test', reason: MALFORMED }],
  });
  expect(memberByEmail(portal, 'acme', 'zoe+portal@acme.test')).toMatchObject({ firstName: 'Zoë', lastName: 'Ćwikła' });
  expect(memberByEmail(portal, 'acme', 'li@acme.test')).toMatchObject({ firstName: '李', lastName: '小龍 🐉' });
  expect(await mailsTo('zoe+portal@acme.test')).toHaveLength(1);
});

test('makes new members searchable immediately', async () => {
  await upload(fileOf(3));
  const { Items } = (await portal.call(searchUsers, { query: { q: 'N-2', field: 'employeeId' } }, { token })).body;
  expect(Items.map(({ primaryEmail }) => primaryEmail)).toEqual(['new.person.2@acme.test']);
});

test('counts every row once and processes valid rows despite invalid ones', async () => {
  const taken = memberByEmail(portal, 'acme', 'user@acme.test').primaryAttr;
  const rows = [
    row(1),
    'no address at all',
    ',Nobody,Nameless,N-0',
    row(1),
    'second@acme.test,Second,Person,N-1',
    `third@acme.test,Third,Person,${taken}`,
    `long@acme.test,${'x'.repeat(101)},Person,N-9`,
    'omar.hassan@acme.test',
    'cut@acme.test,"Cut,Off,N-8',
    row(2),
  ];
  const { body } = await upload([HEADER, ...rows].join('\r\n'));
  expect(body).toMatchObject({ rows: 10, invited: 2, created: 2, unchanged: 0, duplicates: 1, rejectedCount: 6 });
  expect(body.emailsNotExist).toBe('no address at all');
  expect(body.rejected).toEqual([
    { line: 4, value: '', reason: 'This row has no email address.' },
    { line: 6, value: 'second@acme.test', reason: 'Another member already uses “N-1”.' },
    { line: 7, value: 'third@acme.test', reason: `Another member already uses “${taken}”.` },
    { line: 8, value: 'long@acme.test', reason: 'A value in this row is too long.' },
    { line: 9, value: 'omar.hassan@acme.test', reason: 'This account is inactive. Contact the Administrator.' },
    { line: 10, value: 'cut@acme.test,"Cut,Off,N-8', reason: 'This row has an unclosed quote.' },
  ]);
});

test('reads umlauts in a Windows-1252 file', async () => {
  const { body } = await upload(Buffer.from(`${HEADER}\nzoe@acme.test,Zo\xeb,Wei\xdf,N-1\n${row(2)}\n`, 'latin1'));
  expect(body).toMatchObject({ invited: 2, rejected: [] });
  expect(memberByEmail(portal, 'acme', 'zoe@acme.test')).toMatchObject({ firstName: 'Zoë', lastName: 'Weiß' });
});

// covers: security 5.2.2
test('rejects a row in another encoding instead of garbling it', async () => {
  const good = Buffer.from(`${HEADER}\nnoe@acme.test,Noé,Person,N-3\n`);
  const { body } = await upload(Buffer.concat([good, Buffer.from('zoe@acme.test,Zo\xeb,Person,N-1\n', 'latin1')]));
  expect(body).toMatchObject({ invited: 1, rejected: [{ line: 3, value: 'zoe@acme.test' }] });
  expect(body.rejected[0]?.reason).toContain('CSV UTF-8');
});

test('lists rows whose names contain hidden characters, with the reason', async () => {
  const rows = [
    'a@acme.test,An\u202egrof,Person,N-1',
    'b@acme.test,Good,Per\u200bson,N-2',
    'c@acme.test,Good,Person,N-\u20283',
    'نور@acme.test,Good,Person,N-4',
    'd@acme.test,نور,حداد,N-5',
    "e@acme.test,Zoë,D'Arcy-Ñandú,N-6",
  ];
  const { body } = await upload([HEADER, ...rows].join('\n'));
  expect(body).toMatchObject({ rows: 6, created: 2, rejectedCount: 4, emailsNotExistCount: 0 });
  expect(body.rejected).toEqual([
    { line: 2, value: 'a@acme.test', reason: 'Invisible characters are not allowed here (U+202E).' },
    { line: 3, value: 'b@acme.test', reason: 'Invisible characters are not allowed here (U+200B).' },
    { line: 4, value: 'c@acme.test', reason: 'Invisible characters are not allowed here (U+2028).' },
    { line: 5, value: 'نور@acme.test', reason: MALFORMED },
  ]);
});

test('creates no duplicates and sends no second email if a file is uploaded again', async () => {
  const first = await upload(fileOf(20), { sendEmail: 'true' });
  expect(first.body).toMatchObject({ invited: 20, created: 20 });
  const again = await upload(fileOf(25), { sendEmail: 'true' });
  expect(again.body).toMatchObject({ rows: 25, invited: 5, created: 5, unchanged: 20 });
  expect(countNew()).toBe(25);
  expect(await mailsTo('new.person.1@acme.test')).toHaveLength(1);
  // Advance past the lifetime of the codes, which is a day. The links are valid for a week.
  portal.clock.advance(25 * 3_600);
  ({ token } = await portal.signIn('helpdesk.admin@acme.test'));
  expect((await upload(fileOf(25), { sendEmail: 'true' })).body).toMatchObject({ invited: 25, created: 0 });
  expect(await mailsTo('new.person.1@acme.test')).toHaveLength(1);
  portal.clock.advance(8 * 86_400);
  ({ token } = await portal.signIn('helpdesk.admin@acme.test'));
  await upload(fileOf(25), { sendEmail: 'true' });
  expect(await mailsTo('new.person.1@acme.test')).toHaveLength(2);
});

test.each([
  ['with semicolons and a byte order mark', `\uFEFF${fileOf(3).replaceAll(',', ';')}`],
  ['with quotes and CRLF', fileOf(3).replaceAll(',', '","').replaceAll('\n', '"\r\n"').replace(/^|$/g, '"')],
  ['with tabs', fileOf(3).replaceAll(',', '\t')],
  ['with 100 columns', fileOf(3).replaceAll(/$/gm, ',x'.repeat(96))],
])('reads a file %s', async (_how, content) => {
  expect((await upload(content)).body).toMatchObject({ rows: 3, created: 3, emailsNotExist: '' });
});

test('accepts the file before the other form fields', async () => {
  const { body } = await upload(fileOf(3), { order: ['file', 'uploadId', 'sendEmail', 'type'], sendEmail: 'true' });
  expect(body).toMatchObject({ created: 3 });
  expect(await mailsTo('new.person.1@acme.test')).toHaveLength(1);
});

test('neither loses nor duplicates members in two concurrent uploads', async () => {
  const [one, other] = await Promise.all([
    upload(fileOf(3_000), { uploadId: 'one' }),
    upload(fileOf(3_000, 1_500), { uploadId: 'other' }),
  ]);
  expect(one.body.resultCode + other.body.resultCode).toBe(0);
  expect(one.body.created + other.body.created).toBe(4_500);
  expect(countNew()).toBe(4_500);
});

// covers: security 15.1.3, security 15.2.2
test('serves other requests while reading a file', async () => {
  let isReading = true;
  const reading = upload(fileOf(6_000)).finally(() => {
    isReading = false;
  });
  let served = 0;
  while (isReading) {
    expect((await portal.call(getProfile, {}, { token })).status).toBe(200);
    served += 1;
  }
  expect((await reading).body.created).toBe(6_000);
  // If the upload blocked other requests, they would all wait until it finished.
  expect(served).toBeGreaterThan(2);
});

test.each([
  ['nothing', '', 'This upload is empty.'],
  ['a header', `${HEADER}\n`, 'This file contains only a header row.'],
  ['a byte order mark', '\uFEFF', 'This upload is empty.'],
  ['empty rows', `${HEADER}\n\n,,,\n  \n`, 'This file contains only a header row.'],
])('reports NO_DATA for a file that contains only %s', async (_how, content, message) => {
  expect(await upload(content)).toMatchObject({ status: 200, body: { resultName: 'NO_DATA', message } });
});

test.each([
  ['another extension', fileOf(1), 'people.xlsx'],
  ['no extension', fileOf(1), 'people'],
  ['image content', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'people.csv'],
  ['spreadsheet content', Buffer.from(`PK\u0003\u0004\u0014${fileOf(1)}`), 'people.csv'],
  ['a NUL character', `${fileOf(1)}\0`, 'people.csv'],
])('rejects a file with %s (BAD_REQUEST, HTTP 415)', async (_what, content, name) => {
  expect(await upload(content, { name })).toMatchObject({
    status: 415,
    body: { resultName: 'BAD_REQUEST', message: 'File format not supported' },
  });
  expect(countNew()).toBe(0);
});

// covers: spec 1.5.9, spec 2.9.4, security 5.2.1
test('rejects a file of 50 MB and one byte (HTTP 413) and invites no one in it', async () => {
  const rows = Buffer.from(`${HEADER}\n${row(1)}\n`);
  const emptyRow = `${' '.repeat(9_999)}\n`;
  const content = Buffer.concat([rows, Buffer.alloc(LIMITS.csvUploadBytes + 1 - rows.length, emptyRow)]);
  const { status, body } = await upload(content);
  expect({ status, code: body.resultCode, message: body.message }).toEqual({
    status: 413,
    code: 65,
    message: 'File is larger than 50 MB',
  });
  expect(countNew()).toBe(0);
  expect((await upload(content.subarray(1))).body).toMatchObject({ resultCode: 0, rows: 1 });
});

// covers: spec 2.8.27
test('refuses uploads in recovery mode (UPLOAD_BLOCKED_IN_DR)', async () => {
  await portal.close();
  await open({ config: { drMode: true } });
  expect(await upload(fileOf(1))).toMatchObject({
    status: 200,
    body: {
      resultName: 'UPLOAD_BLOCKED_IN_DR',
      message: 'Uploads are blocked while the portal runs in disaster recovery mode.',
    },
  });
  expect(countNew()).toBe(0);
});

test('rejects a file for a disabled app (AUTHENTICATOR_DISALLOWED)', async () => {
  setOrganisation(portal, 'acme', { desktopAppEnabled: 0 });
  expect((await upload(fileOf(1), { type: 'desktop' })).body.resultName).toBe('AUTHENTICATOR_DISALLOWED');
});

test('requires a device type and file (INVALID_REQUEST) and BULK_INVITE (INVALID_PERMISSIONS)', async () => {
  expect((await upload(fileOf(1), { type: 'watch' })).body).toMatchObject({
    resultName: 'INVALID_REQUEST',
    issues: [{ path: 'type' }],
  });
  expect((await upload('', { order: ['type'] })).body).toMatchObject({
    resultName: 'INVALID_REQUEST',
    issues: [{ path: 'file' }],
  });
  ({ token } = await portal.signIn('user@acme.test'));
  expect(await upload(fileOf(1))).toMatchObject({ status: 403, body: { resultName: 'INVALID_PERMISSIONS' } });
});

test('keeps the progress of an interrupted upload, and accepts the file again', async () => {
  const live = await portal.open(bulkInviteLive, { uploadId: 'broken' }, { token });
  await live.next();
  const { port } = new URL(portal.url);
  const socket = connect(Number(port), 'localhost');
  const field = (name: string, value: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const fields = [field('type', 'mobile'), field('sendEmail', 'false'), field('uploadId', 'broken')].join('');
  const head = `--b\r\nContent-Disposition: form-data; name="file"; filename="people.csv"\r\n\r\n`;
  socket.write(
    `POST /api${bulkInvite.path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 9000000\r\n\r\n${fields}${head}${fileOf(5_000)}`,
  );
  await once(socket, 'ready');
  let message = await live.next();
  while (message.rowsDone < 1_000) message = await live.next();
  socket.destroy();
  while (message.state === 'reading') message = await live.next();
  expect(message).toMatchObject({ state: 'failed', resultCode: codeOf('BAD_REQUEST') });
  const done = Number(countNew());
  expect(message).toMatchObject({ rowsDone: done, invited: done });
  // The result is sent again after a reconnect.
  const again = await portal.open(bulkInviteLive, { uploadId: 'broken' }, { token });
  expect(await again.next()).toMatchObject({ state: 'failed', rowsDone: done, invited: done });
  expect(done).toBeGreaterThanOrEqual(1_000);
  expect((await upload(fileOf(5_000))).body).toMatchObject({ rows: 5_000, created: 5_000 - done, unchanged: done });
});

test('rejects a truncated form (HTTP 400) but keeps the rows before the cut', async () => {
  const part = (name: string, content: string) =>
    `--b\r\nContent-Disposition: form-data; name=${name}\r\n\r\n${content}`;
  const fields = `${part('"type"', 'mobile')}\r\n${part('"sendEmail"', 'false')}\r\n${part('"uploadId"', 'u-1')}\r\n`;
  const { status, body } = await portal.http
    .post(`/api${bulkInvite.path}`)
    .auth(token, { type: 'bearer' })
    .type('multipart/form-data; boundary=b')
    .send(`${fields}${part('"file"; filename="people.csv"', fileOf(3_000))}`);
  expect(status).toBe(400);
  const done = Number(countNew());
  expect(done).toBeGreaterThan(0);
  expect(body).toMatchObject({
    resultName: 'BAD_REQUEST',
    rowsDone: done,
    invited: done,
    message: `The upload was interrupted or is not a valid form. ${done} rows were read before that. Upload the same file again: people already invited are not changed.`,
  });
  expect((await upload(fileOf(3_000))).body).toMatchObject({ rows: 3_000, created: 3_000 - done, unchanged: done });
});

test('shows an upload’s progress only to its owner', async () => {
  const { token: other } = await portal.signIn('super.admin@acme.test');
  const live = await portal.open(bulkInviteLive, { uploadId: 'mine' }, { token });
  const strangers = await portal.open(bulkInviteLive, { uploadId: 'mine' }, { token: other });
  expect(await live.next()).toMatchObject({ op: 'bulk-invite', state: 'waiting', rowsDone: 0 });
  const sent = upload(fileOf(6_000), { uploadId: 'mine' });
  const messages = [await live.next()];
  while (messages.at(-1)?.state === 'reading') messages.push(await live.next());
  await sent;
  expect(messages.length).toBeGreaterThan(3);
  expect(messages.length).toBeLessThan(60);
  const rowsDone = messages.map((message) => message.rowsDone);
  expect(rowsDone).toEqual(rowsDone.toSorted((a, b) => a - b));
  const last = messages.at(-1);
  expect(last).toMatchObject({ state: 'done', resultCode: 0, rowsDone: 6_000, invited: 6_000 });
  expect(last?.bytesDone).toBe(last?.bytesTotal);
  expect(await strangers.next()).toMatchObject({ state: 'waiting' });
  expect(strangers.waiting()).toBe(0);
  const late = await portal.open(bulkInviteLive, { uploadId: 'mine' }, { token });
  expect(await late.next()).toMatchObject({ state: 'done' });
});

test('ends an upload when the session that started it ends (INVALID_SESSION)', async () => {
  const { suid } = memberByEmail(portal, 'acme', 'helpdesk.admin@acme.test');
  const live = await portal.open(bulkInviteLive, { uploadId: 'mine' }, { token });
  await live.next();
  const sent = upload(fileOf(20_000), { uploadId: 'mine' });
  await live.next();
  portal.deps.db.$client.prepare('UPDATE sessions SET revokedAt = 1 WHERE suid = ?').run(suid);
  expect(await sent).toMatchObject({ status: 401, body: { resultName: 'INVALID_SESSION' } });
  expect(countNew()).toBeLessThan(20_000);
});

test('truncates a long file’s lists, but not their counts', { tags: 'whole' }, async () => {
  const strangers = Array.from({ length: 21_000 }, (_, index) => `nobody.${index}@acme.test`);
  const { body } = await upload(['email', ...strangers].join('\n'));
  expect(body).toMatchObject({ rows: 21_000, emailsNotExistCount: 21_000 });
  expect(body.emailsNotExist.split(',')).toHaveLength(20_000);
});
