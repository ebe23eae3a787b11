import {
  clearFaults,
  codeOf,
  emptyJournal,
  inviteUsers,
  login,
  MAGIC_VALUES,
  RESULT_NAMES,
  type ResultName,
  readFaults,
  readJournal,
  readMagic,
  resultOf,
  searchUsers,
  signup,
  updateUser,
} from '@orchestrate/shared';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
let token: string;
beforeAll(async () => {
  portal = await testPortal();
  ({ token } = await portal.signIn('super.admin@acme.test'));
});
afterAll(() => portal.close());

const pushAs = (primaryAttr: string) => portal.call(login, { body: { orgCode: 'acme', mode: 'PUSH', primaryAttr } });
const magicOf = (name: ResultName) => MAGIC_VALUES.find(({ answer }) => answer.resultName === name)?.names ?? [];
const refuses: readonly ResultName[] = login.refuses;
const reserved = RESULT_NAMES.filter((name) => name.startsWith('RESERVED'));
const producible = RESULT_NAMES.filter((name) => !reserved.includes(name));

test.each(producible)('returns %s for a sign-in with its magic address, by number and by name', async (name) => {
  const names = magicOf(name);
  expect(names).toEqual([`code-${codeOf(name)}`, name.toLowerCase().replaceAll('_', '-')]);
  for (const one of names) {
    const { status, body } = await pushAs(`${one}@magic.test`);
    // The HTTP status is the same as for the sign-in's own refusals.
    const own = refuses.includes(name) ? login.refusalStatus : resultOf(name).status;
    expect({ status, code: body.resultCode }).toEqual({ status: own, code: codeOf(name) });
  }
});

describe('magic addresses', () => {
  const address = 'User-Inactive+2@Magic.test';
  const callers: Record<string, () => Promise<{ body: object }>> = {
    'a sign-up': () =>
      portal.call(signup, { body: { orgCode: 'acme', firstName: 'A', lastName: 'B', email: address } }),
    'an invitation': () =>
      portal.call(
        inviteUsers,
        { body: { orgEmails: ['user@acme.test', address], type: 'mobile', sendEmail: false } },
        { token },
      ),
    'a profile update': () =>
      portal.call(
        updateUser,
        { body: { firstName: 'A', lastName: 'B', primaryEmail: address, primaryAttr: 'E-10006' } },
        { token },
      ),
    'a phone activation': async () =>
      portal.http.post('/api/authenticator/activate').send({ orgCode: 'acme', email: address }),
    'a search': () => portal.call(searchUsers, { query: { q: address } }, { token }),
  };
  test.each(Object.entries(callers))('return their result in %s', async (_, send) => {
    expect((await send()).body).toMatchObject({ resultName: 'USER_INACTIVE', resultCode: codeOf('USER_INACTIVE') });
  });
});

test('sends Retry-After for too many requests and can drop the connection', async () => {
  for (const name of ['ratelimited', '429']) {
    const { status, headers } = await pushAs(`${name}@magic.test`);
    expect({ status, retryAfter: headers['retry-after'] }).toEqual({ status: 429, retryAfter: '60' });
  }
  expect((await pushAs('unavailable@magic.test')).status).toBe(503);
  await expect(pushAs('cut@magic.test')).rejects.toThrow('socket hang up');
});

test('lists a magic address’s fault as fired and in the journal', async () => {
  await portal.call(clearFaults, { query: {} });
  await portal.call(emptyJournal, {});
  await pushAs('user-inactive@magic.test');
  const { faults, fired } = (await portal.call(readFaults, {})).body;
  expect({ faults, fired }).toMatchObject({
    faults: [],
    fired: [{ method: 'POST', path: '/api/user/login', fault: { answer: { resultName: 'USER_INACTIVE' } } }],
  });
  const { entries } = (await portal.call(readJournal, { query: { kind: 'fault' } })).body;
  expect(entries).toMatchObject([{ path: '/api/user/login' }]);
});

test('suggests the closest match for an unknown name, but none for a reserved code', async () => {
  const { status, body } = await pushAs('expird@magic.test');
  expect({ status, message: body.message }).toEqual({
    status: 400,
    message: "expird@magic.test isn't a magic address. Did you mean expired@magic.test?",
  });
  const long = await pushAs(`expired${'d'.repeat(90)}@magic.test`);
  expect(long.body.message).toMatch(/^expiredd{57}…@magic.test isn't a magic address\. /);
  for (const name of reserved) {
    expect((await pushAs(`code-${codeOf(name)}@magic.test`)).body.resultName).toBe('INVALID_REQUEST');
  }
});

test('ignores other addresses and similar strings', async () => {
  for (const name of ['user@acme.test', 'expired@magic.test.example', 'expired@nomagic.test', 'expired@magicatest']) {
    expect((await pushAs(name)).body.resultCode).not.toBe(codeOf('EXPIRED'));
  }
});

test('lists all magic addresses', async () => {
  const { values } = (await portal.call(readMagic, {})).body;
  expect(values.map(({ resultName }) => resultName).filter((name) => name !== undefined)).toEqual(producible);
  expect(values).toContainEqual({
    addresses: ['code-35@magic.test', 'user-inactive@magic.test'],
    meaning: resultOf('USER_INACTIVE').sentence,
    resultCode: codeOf('USER_INACTIVE'),
    resultName: 'USER_INACTIVE',
    status: 200,
  });
});

test('treats magic addresses as ordinary if the lab is closed, so strangers can’t cause delays', async () => {
  const closed = await testPortal({ config: { host: '0.0.0.0' } });
  const body = { orgCode: 'acme', mode: 'PUSH' as const, primaryAttr: 'hang@magic.test' };
  expect((await closed.call(login, { body })).body.resultName).toBe('USER_NOT_REGISTERED_FOR_ORG');
  await closed.close();
});

test('treats magic addresses as ordinary with LAB=off', async () => {
  const closed = await testPortal({ config: { lab: false } });
  const { body } = await closed.call(login, {
    body: { orgCode: 'acme', mode: 'PUSH', primaryAttr: 'failed@magic.test' },
  });
  expect(body.resultName).toBe('USER_NOT_REGISTERED_FOR_ORG');
  await closed.close();
});
