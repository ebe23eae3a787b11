import { organisationRepo, outboxRepo } from '@orchestrate/db';
import { memoryDb } from '@orchestrate/db/testing';
import { inviteUsers, type OutboxMessage, readOutbox, regenerateActivationCode, signup } from '@orchestrate/shared';
import pino from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildApp } from '#app.ts';
import { readConfig } from '#config.ts';
import { createDeps } from '#deps.ts';
import { memberByEmail } from '#testing/device.ts';
import { freePort, startMailServer, type TestMailServer, type TestMailServerOptions } from '#testing/mail-server.ts';
import { TEST_NOW, type TestPortal, testPortal } from '#testing/test-portal.ts';
import { writeMessage } from './write-message.ts';

const NEWCOMER = 'mara.lindholm@acme.test';
const OTHER_NEWCOMER = 'amara.okafor@acme.test';

let portal: TestPortal | undefined;
let server: TestMailServer | undefined;
let port: number;
beforeEach(async () => {
  port = await freePort();
});
afterEach(async () => {
  await portal?.close();
  await server?.close();
  portal = undefined;
  server = undefined;
});

const smtpUrl = () => `smtp://127.0.0.1:${port}`;
async function openPortal(config = {}): Promise<TestPortal> {
  portal = await testPortal({ config: { smtpUrl: smtpUrl(), ...config } });
  return portal;
}
async function listen(options: Partial<TestMailServerOptions> = {}): Promise<TestMailServer> {
  server = await startMailServer({ port, ...options });
  return server;
}

/** Emails a code as an administrator. */
async function mailCode({ call, signIn, ...rest }: TestPortal, email = NEWCOMER): Promise<void> {
  const { token } = await signIn('super.admin@acme.test');
  const { primaryAttr } = memberByEmail({ call, signIn, ...rest }, 'acme', email);
  await call(regenerateActivationCode, { body: { email, primaryAttr, type: 'mobile', sendEmail: true } }, { token });
}
const newest = async ({ call }: TestPortal, to = NEWCOMER): Promise<OutboxMessage | undefined> =>
  (await call(readOutbox, { query: { to } })).body.messages[0];

test('delivers an email once, in text and HTML, from the organisation', async () => {
  const { received } = await listen();
  const open = await openPortal({ mailFrom: 'portal@mail.example' });
  await mailCode(open);
  await expect.poll(() => received.length).toBe(1);
  await expect.poll(async () => (await newest(open))?.deliveredAt).toBe(open.clock.iso());
  const [mail] = received;
  expect(mail).toMatchObject({ from: 'portal@mail.example', to: [NEWCOMER] });
  expect(mail?.raw).toMatch(/^From: Acme Corporation <portal@mail\.example>\r$/m);
  expect(mail?.raw).toMatch(/^Subject: Your activation code for Acme Corporation\r$/m);
  expect(mail?.raw).toMatch(/^Date: Mon, 02 Mar 2026 09:30:00 \+0000\r$/m);
  expect(mail?.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  expect(mail?.raw).toMatch(/^Message-ID: <[\w-]{22}@mail\.example>\r$/m);
  expect(mail?.raw).toContain('multipart/alternative');
  expect(mail?.raw).toContain((await newest(open))?.code);
  expect(await newest(open)).toMatchObject({ attempts: 1, lastError: null });
  // Seeded messages are never sent, and no message is sent twice, so only the new email arrives.
  open.clock.advance(3_600);
  await mailCode(open, OTHER_NEWCOMER);
  await expect.poll(() => received.length).toBe(2);
  expect(received[1]?.to).toEqual([OTHER_NEWCOMER]);
});

test("sends from the portal's host if no sender is set", async () => {
  const { received } = await listen();
  const open = await openPortal();
  await mailCode(open);
  await expect.poll(() => received[0]?.from).toBe('no-reply@localhost');
});

// covers: security 16.5.2
test('retries an unreachable server with one email, then delivers all of them', async () => {
  const open = await openPortal();
  await mailCode(open);
  await expect.poll(async () => (await newest(open))?.lastError).toContain('ECONNREFUSED');
  expect(await newest(open)).toMatchObject({ attempts: 1, deliveredAt: null, code: expect.any(String) });
  await mailCode(open, OTHER_NEWCOMER);
  open.clock.advance(29);
  expect(await newest(open)).toMatchObject({ attempts: 1 });
  expect(await newest(open, OTHER_NEWCOMER)).toMatchObject({ attempts: 0 });
  open.clock.advance(1);
  await expect
    .poll(async () => ((await newest(open))?.attempts ?? 0) + ((await newest(open, OTHER_NEWCOMER))?.attempts ?? 0))
    .toBe(2);
  const { received } = await listen();
  for (const seconds of [60, 60]) {
    await expect.poll(async () => (await newest(open))?.lastError).not.toBeNull();
    open.clock.advance(seconds);
  }
  await expect.poll(() => received.map(({ to }) => to[0]).toSorted()).toEqual([OTHER_NEWCOMER, NEWCOMER]);
  await expect.poll(async () => (await newest(open))?.lastError).toBeNull();
});

test('gives up on permanent failures and retries temporary failures without delaying others', async () => {
  let isBusy = true;
  const { received } = await listen({
    refuse: (to) => (to === NEWCOMER ? 550 : to === OTHER_NEWCOMER && isBusy ? 450 : undefined),
  });
  const open = await openPortal();
  await mailCode(open);
  await mailCode(open, OTHER_NEWCOMER);
  await open.call(signup, {
    body: { orgCode: 'acme', firstName: 'Nora', lastName: 'New', email: 'nora.new@acme.test' },
  });
  await expect.poll(() => received.map(({ to }) => to[0])).toEqual(['nora.new@acme.test']);
  await expect.poll(async () => (await newest(open))?.lastError).toContain('550');
  await expect.poll(async () => (await newest(open, OTHER_NEWCOMER))?.lastError).toContain('450');
  isBusy = false;
  open.clock.advance(30);
  await expect.poll(() => received.length).toBe(2);
  open.clock.advance(4 * 86_400);
  await expect.poll(async () => (await newest(open, OTHER_NEWCOMER))?.deliveredAt).not.toBeNull();
  expect(await newest(open)).toMatchObject({ attempts: 1, deliveredAt: null });
});

test('keeps text messages in the outbox, and emails too if no email server is set', async () => {
  const { received } = await listen();
  const open = await openPortal();
  await open.call(signup, {
    body: { orgCode: 'acme', firstName: 'N', lastName: 'N', email: 'n@acme.test', mobileNumber: '+46701234567' },
  });
  await mailCode(open);
  await expect.poll(() => received.length).toBe(1);
  expect(await newest(open, '+46701234567')).toMatchObject({ attempts: 0, deliveredAt: null });
  await open.close();
  portal = await testPortal();
  await mailCode(portal);
  expect(await newest(portal)).toMatchObject({ attempts: 0, deliveredAt: null, code: expect.any(String) });
});

/** Starts a portal on a database that can be reused by a second portal, to simulate a restart. */
async function startOn({ db }: ReturnType<typeof memoryDb>, now: number) {
  const config = { ...readConfig({ NODE_ENV: 'test', DATABASE_FILE: ':memory:' }), smtpUrl: smtpUrl() };
  const deps = createDeps({ config, db, log: pino({ level: 'silent' }), frozenAt: now });
  const app = await buildApp(deps);
  await app.ready();
  return { app, deps };
}

test('sends undelivered emails after a restart and repeats none', async () => {
  const database = memoryDb({ now: TEST_NOW });
  const facts = { firstName: 'Mara', deviceName: 'Phone', at: TEST_NOW };
  const write = (deps: Parameters<typeof writeMessage>[0], to: string) =>
    writeMessage(deps, database.db, { orgCode: 'acme', to, language: null, template: 'new-device', facts });
  const first = await startOn(database, TEST_NOW);
  write(first.deps, 'waiting@acme.test');
  write(first.deps, 'killed@acme.test');
  // Simulates a server that was killed while sending this email.
  const claimed = outboxRepo.claimDueMail(database.db, { now: TEST_NOW, leaseMs: 300_000 });
  expect(claimed?.to).toBe('waiting@acme.test');
  await first.app.close();

  const { received } = await listen();
  const second = await startOn(database, TEST_NOW);
  await expect.poll(() => received.map(({ to }) => to[0])).toEqual(['killed@acme.test']);
  second.deps.clock.advance(299);
  expect(received).toHaveLength(1);
  second.deps.clock.advance(1);
  await expect.poll(() => received.map(({ to }) => to[0])).toEqual(['killed@acme.test', 'waiting@acme.test']);
  await second.app.close();

  const third = await startOn(database, TEST_NOW + 3_600_000);
  write(third.deps, 'last@acme.test');
  third.deps.bus.changed('outbox');
  await expect.poll(() => received.map(({ to }) => to[0]).at(-1)).toBe('last@acme.test');
  expect(received).toHaveLength(3);
  await third.app.close();
  expect(organisationRepo.findOrganisation(database.db, 'acme')?.name).toBe('Acme Corporation');
  database.close();
});

test('shuts down during a delivery without waiting for it or losing the email', async () => {
  const arrived = Promise.withResolvers<void>();
  const { received } = await listen({
    onData: () => {
      arrived.resolve();
      return new Promise(() => {});
    },
  });
  const database = memoryDb({ now: TEST_NOW });
  const { app, deps } = await startOn(database, TEST_NOW);
  const facts = { firstName: 'Mara', deviceName: 'Phone', at: TEST_NOW };
  writeMessage(deps, database.db, { orgCode: 'acme', to: NEWCOMER, language: null, template: 'new-device', facts });
  deps.bus.changed('outbox');
  await arrived.promise;
  await app.close();
  expect(received).toEqual([]);
  const [row] = outboxRepo.listOutbox(database.db, { to: NEWCOMER, limit: 1 });
  expect(row).toMatchObject({ deliveredAt: null, attempts: 1, nextAttemptAt: expect.any(Number) });
  database.close();
});

test('delivers each of many emails exactly once', { tags: 'whole' }, async () => {
  const { received } = await listen();
  const open = await openPortal();
  const { token } = await open.signIn('super.admin@acme.test');
  const raw = open.deps.db.$client;
  const emails = raw
    .prepare<[], string>(`SELECT primaryEmail FROM members WHERE orgCode = 'acme' AND accountStatus = 'unregistered'`)
    .pluck()
    .all();
  for (let round = 0; round < 10; round += 1) {
    await open.call(inviteUsers, { body: { orgEmails: emails, type: 'mobile', sendEmail: true } }, { token });
  }
  await expect.poll(() => received.length).toBe(10 * emails.length);
  const ids = received.map(({ raw: mail }) => /^Message-ID: (.*)\r$/m.exec(mail)?.[1]);
  expect(new Set(ids).size).toBe(ids.length);
});
