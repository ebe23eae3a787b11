import { activationCodeRepo, memberRepo } from '@orchestrate/db';
import { bulkInvite, DAY, HOUR, readOutbox, regenerateActivationCode, SECOND } from '@orchestrate/shared';
import { createDeviceKey } from '@orchestrate/shared/authenticator';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { activateFrom, memberByEmail, setOrganisation } from '#testing/device.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
let token: string;
beforeEach(async () => {
  portal = await testPortal();
  ({ token } = await portal.signIn('super.admin@acme.test'));
  setOrganisation(portal, 'acme', { discloseUnknownUsers: 0 });
});
afterEach(() => portal.close());

const NEWCOMER = 'mara.lindholm@acme.test';
const OTHER_NEWCOMER = 'amara.okafor@acme.test';
const HOME = '198.51.100.7';

async function issue(email: string): Promise<string> {
  const { primaryAttr } = memberByEmail(portal, 'acme', email);
  const body = { email, primaryAttr, type: 'mobile' as const, sendEmail: false };
  return (await portal.call(regenerateActivationCode, { body }, { token })).body.activationCode;
}
const wrongFor = (code: string) => (code === '111111' ? '222222' : '111111');
const tryFrom = (ip: string, email: string, activationCode: string) =>
  activateFrom(portal, ip, { email, activationCode });
const enterFrom = (ip: string, email: string, activationCode: string) =>
  activateFrom(portal, ip, { email, activationCode }, createDeviceKey());
/** Returns a different address for each index. */
const freshAddress = (index: number, net = 10) => `${net}.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;

/** Issues one code, valid for a day, to each of `count` members. */
async function openCodes(count: number): Promise<string[]> {
  const emails = Array.from({ length: count }, (_, index) => `open.${index}@acme.test`);
  const rows = emails.map((email, index) => `${email},Open,Code,O-${index}`);
  const form = new FormData();
  form.append('type', 'mobile');
  form.append('sendEmail', 'false');
  form.append('file', new File([['email,firstName,lastName,primaryAttr', ...rows].join('\n')], 'people.csv'));
  expect((await portal.call(bulkInvite, { body: form }, { token })).body.invited).toBe(count);
  return emails;
}
const codeOf = (email: string) => {
  const { db } = portal.deps;
  const suid = memberRepo.findMemberByEmail(db, 'acme', email)?.suid ?? '';
  return activationCodeRepo.findActivationCode(db, 'acme', suid, 'mobile')?.code ?? '';
};
const alerts = async () =>
  (await portal.call(readOutbox, { query: { to: 'super.admin@acme.test' } })).body.messages.filter(({ subject }) =>
    subject.startsWith('Security: '),
  );

test('responds to every wrong pair in the same way (ACTIVATION_CODE_MISMATCH)', async () => {
  await issue(NEWCOMER);
  const others = await issue(OTHER_NEWCOMER);
  const pairs: [string, string][] = [
    [NEWCOMER, wrongFor(codeOf(NEWCOMER))],
    [NEWCOMER, others],
    ['nobody@acme.test', '123456'],
    ['user@acme.test', '123456'],
    ['omar.hassan@acme.test', '123456'],
    ['admin@globex.test', '123456'],
    ['margot.ito@acme.test', '123456'],
  ];
  const answers = await Promise.all(
    pairs.map(async ([email, code], index) => {
      const { status, headers, body } = await tryFrom(freshAddress(index), email, code);
      const { requestId, ...sent } = body;
      return { status, sent, named: Object.keys(headers).toSorted(), isNamed: typeof requestId };
    }),
  );
  expect(answers[0]).toMatchObject({ status: 200, sent: { resultName: 'ACTIVATION_CODE_MISMATCH' } });
  for (const answer of answers) expect(answer).toEqual(answers[0]);
});

test('reports a lock after five wrong codes (ACCOUNT_LOCKED), even for an unknown address', async () => {
  await issue(NEWCOMER);
  for (const email of [NEWCOMER, 'nobody@acme.test']) {
    const codes: number[] = [];
    for (let tries = 0; tries < 7; tries += 1) {
      codes.push((await tryFrom(HOME, email, wrongFor(codeOf(email)))).body.resultCode);
    }
    expect(codes).toEqual([33, 33, 33, 33, 33, 11, 11]);
  }
});

test('reports an expired code as EXPIRED only if it was correct', async () => {
  const code = await issue(NEWCOMER);
  portal.clock.advance(DAY / SECOND);
  expect((await tryFrom(HOME, NEWCOMER, code)).body.resultName).toBe('EXPIRED');
  expect((await tryFrom(HOME, NEWCOMER, wrongFor(code))).body.resultName).toBe('ACTIVATION_CODE_MISMATCH');
});

// covers: security 6.1.1
test('locks out an address’s owner only after guesses from three networks, not from one', async () => {
  const code = await issue(NEWCOMER);
  const attack = async (ip: string) => {
    for (let tries = 0; tries < 6; tries += 1) await tryFrom(ip, NEWCOMER, wrongFor(code));
  };
  await attack('203.0.113.1');
  expect((await tryFrom('203.0.113.1', NEWCOMER, code)).body.resultName).toBe('ACCOUNT_LOCKED');
  await attack('203.0.113.2');
  const second = await issue(NEWCOMER);
  for (const ip of ['203.0.113.3', '203.0.113.4']) await attack(ip);
  expect((await enterFrom(HOME, NEWCOMER, second)).body.resultCode).toBe(0);
  const third = await issue(OTHER_NEWCOMER);
  for (const ip of ['203.0.113.5', '203.0.113.6', '203.0.113.7']) {
    for (let tries = 0; tries < 5; tries += 1) await tryFrom(ip, OTHER_NEWCOMER, wrongFor(third));
  }
  expect((await enterFrom(HOME, OTHER_NEWCOMER, third)).body.resultName).toBe('ACTIVATION_CODE_MISMATCH');
});

test('treats addresses in one IPv6 network as the same address', async () => {
  const code = await issue(NEWCOMER);
  for (let tries = 0; tries < 5; tries += 1) {
    await tryFrom(`2001:db8:0:7::${tries + 1}`, NEWCOMER, wrongFor(code));
  }
  expect((await tryFrom('2001:db8:0:7:ffff::1', NEWCOMER, code)).body.resultName).toBe('ACCOUNT_LOCKED');
  expect((await enterFrom('2001:db8:0:8::1', NEWCOMER, code)).body.resultCode).toBe(0);
});

// covers: security 6.3.1, security 6.6.3
test('allows a network twenty wrong attempts, then delays it (HTTP 429), even after a restart', async () => {
  const emails = await openCodes(30);
  for (const email of emails.slice(0, 20)) await tryFrom(HOME, email, '000000');
  const refused = await tryFrom(HOME, emails[20] ?? '', '000000');
  expect(refused).toMatchObject({
    status: 429,
    headers: { 'retry-after': '180' },
    body: { resultName: 'BAD_REQUEST' },
  });
  expect(refused.body.message).toContain('3 minutes');
  const stored = portal.deps.db.$client
    .prepare("SELECT count(*) FROM failure_budgets WHERE kind = 'activation' AND subject = ?")
    .pluck();
  expect(stored.get(HOME)).toBe(1);
  portal.clock.advance(180);
  expect((await enterFrom(HOME, emails[20] ?? '', codeOf(emails[20] ?? ''))).body.resultCode).toBe(0);
});

test('checks only twenty of forty concurrent wrong codes', async () => {
  const emails = await openCodes(40);
  const answers = await Promise.all(emails.map((email) => tryFrom(HOME, email, wrongFor(codeOf(email)))));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
});

test('never delays an office behind one address if correct codes offset its mistakes', {
  tags: 'whole',
}, async () => {
  const emails = await openCodes(60);
  for (const email of emails) {
    const code = codeOf(email);
    expect((await tryFrom(HOME, email, wrongFor(code))).body.resultName).toBe('ACTIVATION_CODE_MISMATCH');
    expect((await enterFrom(HOME, email, code)).body.resultCode).toBe(0);
  }
});

// Decision 143: one guess in a million is right. This test counts how many guesses a day an attacker gets by
// respecting the delays.
// covers: security 6.6.3
test('limits one network to under one expected hit in four years among 2,000 open codes', {
  tags: 'whole',
}, async () => {
  const emails = await openCodes(2_000);
  const start = portal.clock.now();
  const simulated = 6 * HOUR;
  let tries = 0;
  for (let attempt = 0; portal.clock.now() - start < simulated; attempt += 1) {
    const email = emails[attempt % emails.length] ?? '';
    const { status, headers } = await tryFrom(HOME, email, wrongFor(codeOf(email)));
    if (status === 429) portal.clock.advance(Number(headers['retry-after']));
    else tries += 1;
  }
  const triesPerYear = tries * (DAY / simulated) * 365;
  const yearsToOneSuccess = 1_000_000 / triesPerYear;
  expect(tries).toBeGreaterThan(100);
  expect(yearsToOneSuccess).toBeGreaterThan(4);
});

// covers: security 16.3.2, security 16.3.3
test('alerts administrators to distributed guessing and slows it, but not legitimate users', async () => {
  const emails = await openCodes(2_000);
  const [first = '', second = '', third = ''] = emails;
  let refusedAt: number | undefined;
  let triesInTheFirstMinutes = 0;
  // Forty addresses keep guessing. Each has failed at least once before the hundredth attempt.
  for (let attempt = 0; attempt < 240; attempt += 1) {
    const email = emails[100 + attempt] ?? '';
    const { status } = await tryFrom(freshAddress(attempt % 40), email, wrongFor(codeOf(email)));
    if (status === 429) refusedAt ??= triesInTheFirstMinutes;
    else triesInTheFirstMinutes += 1;
    if (triesInTheFirstMinutes < 100) expect(await alerts()).toHaveLength(0);
    portal.clock.advance(1);
  }
  expect(await alerts()).toHaveLength(1);
  expect((await alerts())[0]?.subject).toBe('Security: someone is guessing activation codes');
  expect(refusedAt).toBeGreaterThanOrEqual(100);
  // Each of the forty addresses gets three attempts, so at most 120 of the 240 attempts are checked.
  expect(triesInTheFirstMinutes).toBeLessThanOrEqual(120);

  // Meanwhile, legitimate users enter correct codes: from a new address, after a mistake, and from an office.
  expect((await enterFrom('198.51.100.1', first, codeOf(first))).body.resultCode).toBe(0);
  expect((await tryFrom('198.51.100.2', second, wrongFor(codeOf(second)))).body.resultName).toBe(
    'ACTIVATION_CODE_MISMATCH',
  );
  expect((await tryFrom('198.51.100.2', second, wrongFor(codeOf(second)))).body.resultName).toBe(
    'ACTIVATION_CODE_MISMATCH',
  );
  expect((await enterFrom('198.51.100.2', second, codeOf(second))).body.resultCode).toBe(0);
  for (const email of emails.slice(3, 13)) {
    expect((await tryFrom('198.51.100.2', email, wrongFor(codeOf(email)))).body.resultName).toBe(
      'ACTIVATION_CODE_MISMATCH',
    );
  }
  expect((await enterFrom('198.51.100.2', third, codeOf(third))).body.resultCode).toBe(0);
});

test('limits each new address to three attempts during distributed guessing', {
  tags: 'whole',
}, async () => {
  const emails = await openCodes(300);
  for (let attempt = 0; attempt < 200; attempt += 1) {
    await tryFrom(freshAddress(attempt), emails[attempt] ?? '', wrongFor(codeOf(emails[attempt] ?? '')));
  }
  const triesOf = async (ip: string) => {
    let tries = 0;
    for (const email of emails.slice(200, 210)) {
      if ((await tryFrom(ip, email, wrongFor(codeOf(email)))).status === 200) tries += 1;
    }
    return tries;
  };
  expect(await triesOf('192.0.2.1')).toBe(3);
  const refused = await tryFrom('192.0.2.1', emails[220] ?? '', '000000');
  expect(Number(refused.headers['retry-after'])).toBe((8 * HOUR) / SECOND);
  portal.clock.advance((2 * HOUR) / SECOND);
  expect(await triesOf('192.0.2.1')).toBe(10);
});

test('waits an hour before sending a second alert', { tags: 'whole' }, async () => {
  const emails = await openCodes(300);
  const wrong = async (index: number) =>
    tryFrom(freshAddress(index), emails[index] ?? '', wrongFor(codeOf(emails[index] ?? '')));
  for (let attempt = 0; attempt < 150; attempt += 1) await wrong(attempt);
  expect(await alerts()).toHaveLength(1);
  portal.clock.advance(HOUR / SECOND);
  for (let attempt = 150; attempt < 300; attempt += 1) await wrong(attempt);
  expect(await alerts()).toHaveLength(2);
});
