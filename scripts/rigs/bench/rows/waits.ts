import { join } from 'node:path';
import { connectPortal, type Portal } from '@orchestrate/server/testing-api';
import { health, labLive, login, loginLive, signup } from '@orchestrate/shared';
import { type Duration, formatDuration, medianDuration } from '../duration.ts';
import { PORTAL_ENTRY, type Program, portalEnv, startProgram } from '../programs.ts';
import { atMost, type Measurement, type Row } from '../row.ts';

const TIMES = 7;
const AFTER_MS = 250;

export const waits: Row = {
  name: 'waits',
  title: 'Waiting times in tests',
  about: `A server with a database file in its own process, and its client in another; medians of ${TIMES}, wall-clock, because most of
the time is spent waiting. Email: from the call that sends it to the response of the waiting outbox call. Sign-in by a policy that
approves after ${AFTER_MS} ms: from its start to its session. Ten minutes and a second: from advancing the clock to the message that the sign-in
has expired. Notification: from a call to the message that a client watching the lab receives. No comparable product has this feature, so there is
no comparison.`,
  run: timeWaits,
};

/** Runs the measured step. `nth` counts the repetitions. */
type Work = (portal: Portal, nth: number) => Promise<void>;

async function timeWaits(folder: string): Promise<Measurement[]> {
  const env = portalEnv(join(folder, 'portal.db'));
  const program = await startProgram(PORTAL_ENTRY, { path: '/api/health', env, log: join(folder, 'log') });
  const portal = connectPortal({ url: program.url });
  try {
    return [
      within('an email', await timed(program, portal, waitForMail), 100),
      within(`a sign-in, approved after ${AFTER_MS} ms`, await timed(program, portal, signInByPolicy), 1_000),
      within('ten minutes and a second', await timed(program, portal, expire), 1_000),
      within('notification of a change', await timed(program, portal, hearNews), 500),
    ];
  } finally {
    await program.stop();
  }
}

async function timed(program: Program, portal: Portal, work: Work): Promise<Duration[]> {
  const durations: Duration[] = [];
  await portal.reset();
  for (let nth = 0; nth < TIMES; nth += 1) {
    const before = await program.usage();
    const began = performance.now();
    await work(portal, nth);
    const wall = performance.now() - began;
    durations.push({ wall, cpu: ((await program.usage()).cpu - before.cpu) / 1_000 });
  }
  return durations;
}

async function waitForMail(portal: Portal, nth: number): Promise<void> {
  const email = `ada.${nth}@acme.test`;
  const waiting = portal.outbox({ to: email, wait: 5 });
  await portal.call(signup, { body: { orgCode: 'acme', firstName: 'Ada', lastName: 'Lovelace', email } });
  await waiting;
}

async function signInByPolicy(portal: Portal): Promise<void> {
  await portal.policy({ match: { email: 'user@acme.test' }, answer: 'approve', afterMs: AFTER_MS, opens: true });
  const { loginId } = await portal.call(login, { body: { orgCode: 'acme', mode: 'QID' } });
  const live = await portal.open(loginLive, { loginId });
  let message = await live.next();
  while (message.exchangeToken === undefined) message = await live.next();
  await portal.call(login, { body: { loginId, exchangeToken: message.exchangeToken } });
  live.close();
}

async function expire(portal: Portal): Promise<void> {
  await portal.clock({ mode: 'frozen' });
  const { loginId } = await portal.call(login, { body: { orgCode: 'acme', mode: 'QID' } });
  const live = await portal.open(loginLive, { loginId });
  await portal.clock({ advance: '10m 1s' });
  while ((await live.next()).state !== 'expired');
  live.close();
}

async function hearNews(portal: Portal): Promise<void> {
  const live = await portal.open(labLive, {});
  await live.next();
  await portal.call(health, {});
  await live.next();
  live.close();
}

const within = (what: string, durations: readonly Duration[], maxMs: number): Measurement => ({
  what,
  ours: formatDuration(medianDuration(durations)),
  ...atMost(
    maxMs,
    durations.map(({ wall }) => wall),
    'ms',
  ),
});
