import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { contract, loginLive } from '@orchestrate/shared';
import { afterEach, expect, test, vi } from 'vitest';
import { startPortal } from './start-portal.ts';

/** Everything that `vi.useFakeTimers()` fakes, except setImmediate: only the packed portal keeps the real one. */
const FAKED = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] as const;

afterEach(() => {
  vi.useRealTimers();
});

test.each([0, 40])('lets a phone answer after %i ms under fake timers', async (afterMs) => {
  await using portal = await startPortal();
  const { email } = await portal.person({ org: 'acme' });
  vi.useFakeTimers({ toFake: [...FAKED] });
  await portal.policy({ match: { email }, answer: 'approve', afterMs });
  const body = { orgCode: 'acme', mode: 'PUSH' as const, primaryAttr: email };
  const { loginId } = await portal.call(contract.login, { body });
  const live = await portal.open(loginLive, { loginId });
  let { state } = await live.next();
  while (state === 'init' || state === 'pending') ({ state } = await live.next());
  expect(state).toBe('success');
});

test('waits for an email, and sends reordered messages, under fake timers', async () => {
  await using portal = await startPortal();
  const { email } = await portal.person({ org: 'acme' });
  vi.useFakeTimers({ toFake: [...FAKED] });
  await expect(portal.outbox({ to: 'ada@acme.test', wait: 1 })).rejects.toThrow('arrived within 1 s');
  await portal.socketFault({ channel: 'login', do: 'reorder', state: 'init' });
  const { loginId = '' } = await portal.call(contract.login, { body: { orgCode: 'acme', mode: 'QID' } });
  const live = await portal.open(loginLive, { loginId });
  expect((await live.next()).state).toBe('init');
  await portal.deny(loginId, { as: email });
});

test('stops waiting for a delivery without a response, under fake timers', async () => {
  const receiver = createServer(() => {});
  await once(receiver.listen(0, 'localhost'), 'listening');
  const portal = await startPortal();
  const { token } = await portal.session({ email: 'super.admin@acme.test' });
  const { suid } = await portal.person({ org: 'acme' });
  const url = `http://localhost:${(receiver.address() as AddressInfo).port}/events`;
  await portal.call(contract.createWebhook, { body: { url, events: ['member.paused'] } }, { token });
  vi.useFakeTimers({ toFake: [...FAKED] });
  await portal.call(contract.manageUser, { body: { suid, action: 'pause' } }, { token });
  await expect(portal.settled({ wait: 1 })).rejects.toThrow('Not settled within 1 s');
  receiver.close().closeAllConnections();
  await portal.close();
});
