import { scimLogRepo } from '@orchestrate/db';
import { getScimLog, type ScimLogRecord } from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { memberByEmail } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import { type Directory, directoryOf, groupWith, userWith } from './testing.ts';

let portal: TestPortal;
let directory: Directory;
let token: string;
beforeEach(async () => {
  portal = await testPortal();
  directory = directoryOf(portal);
  ({ token } = await portal.signIn('super.admin@acme.test'));
});
afterEach(() => portal.close());

const read = async (query: { count?: number; lastItem?: string } = {}) =>
  (await portal.call(getScimLog, { query }, { token })).body;
const lines = (records: readonly ScimLogRecord[]) =>
  records.map(({ operation, userName, status }) => [operation, userName, status]);

test('logs changes and rejected requests, newest first, but no reads', async () => {
  expect(await read()).toEqual({ resultCode: 0, records: [], LastEvaluatedKey: null });
  const { suid } = memberByEmail(portal, 'acme', 'user@acme.test');
  await directory.get('/Users');
  const { id } = await directory.send('POST', '/Users', userWith({ userName: 'new@acme.test' }));
  await directory.send('POST', '/Users', userWith({ userName: 'new@acme.test' }));
  await directory.patch(`/Users/${suid}`, [{ op: 'replace', path: 'id', value: 'x' }]);
  await directory.send('POST', '/Groups', groupWith({ displayName: 'Guides' }));
  await directory.send('DELETE', `/Users/${id}`);
  await directory.filter('Users', 'userName is "x"');
  await directory.send('POST', '/Users', '{');
  await directoryOf(portal, 'acme', 'Basic bm9ib2R5Ong=').send('POST', '/Users', {});
  const { records } = await read();
  expect(lines(records)).toEqual([
    ['POST /Users', '', 400],
    ['GET /Users', '', 400],
    [`DELETE /Users/${id}`, 'new@acme.test', 204],
    ['POST /Groups', 'Guides', 201],
    [`PATCH /Users/${suid}`, 'user@acme.test', 400],
    ['POST /Users', 'new@acme.test', 409],
    ['POST /Users', 'new@acme.test', 201],
  ]);
  expect(records[4]).toMatchObject({ at: '2026-03-02T09:30:00.000Z', detail: 'id is read-only.' });
  expect(JSON.parse(records[5]?.body ?? '')).toEqual(userWith({ userName: 'new@acme.test' }));
  expect(records[2]).toMatchObject({ body: '', detail: '' });
});

test('logs every operation of a bulk request separately', async () => {
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'];
  const Operations = ['a@acme.test', 'b@acme.test'].map((userName, index) => ({
    method: 'POST',
    path: '/Users',
    bulkId: String(index),
    data: userWith({ userName }),
  }));
  await directory.send('POST', '/Bulk', { schemas, Operations });
  expect(lines((await read()).records)).toEqual([
    ['POST /Users', 'b@acme.test', 201],
    ['POST /Users', 'a@acme.test', 201],
  ]);
});

test('omits secrets from the log and truncates long values', async () => {
  const { id } = await directory.send(
    'POST',
    '/Users',
    userWith({
      userName: 'new@acme.test',
      password: 'hunter2',
      urn: { clientSecret: 'hunter2' },
      nickName: 'x'.repeat(9_000),
    }),
  );
  await directory.patch(`/Users/${id}`, [
    { op: 'replace', path: 'password', value: 'hunter2' },
    { op: 'replace', value: { Password: 'hunter2' } },
  ]);
  const { records } = await read();
  expect(JSON.stringify(records)).not.toContain('hunter2');
  expect(records[0]?.body).toContain('•••');
  expect(records[1]?.body).toHaveLength(4_000);
});

test('keeps the newest 1,000 entries per organisation and lists them in pages', async () => {
  const entry = { at: 0, operation: 'POST /Users', userName: '', status: 201, body: '', detail: '' };
  const { db } = portal.deps;
  db.transaction((tx) => {
    scimLogRepo.insertScimLog(tx, { ...entry, orgCode: 'globex' });
    for (let number = 1; number <= 1_005; number += 1) scimLogRepo.insertScimLog(tx, { ...entry, orgCode: 'acme' });
  });
  const ids: string[] = [];
  let page = await read({ count: 100 });
  for (;;) {
    ids.push(...page.records.map(({ id }) => id));
    if (!page.LastEvaluatedKey) break;
    page = await read({ count: 100, lastItem: JSON.stringify(page.LastEvaluatedKey) });
  }
  expect(ids).toEqual(Array.from({ length: 1_000 }, (_, index) => String(1_005 - index)));
  expect((await portal.call(getScimLog, { query: { lastItem: 'x' } }, { token })).body).toMatchObject({
    resultName: 'INVALID_REQUEST',
  });
  const elsewhere = await portal.signIn('admin@globex.test');
  expect((await portal.call(getScimLog, { query: {} }, { token: elsewhere.token })).body.records).toHaveLength(1);
});
