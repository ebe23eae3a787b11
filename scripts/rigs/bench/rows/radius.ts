import { join } from 'node:path';
import { radiusClient, radiusRequest } from '@orchestrate/server/testing/radius-client';
import { createApp, makeSession } from '@orchestrate/shared';
import { createPortalCall } from '@orchestrate/shared/authenticator';
import { median } from '../median.ts';
import { PORTAL, portalEnv, startProgram } from '../programs.ts';
import type { Measurement, Row } from '../row.ts';

const ROUNDS = 5;
const WARM_UP = 2_000;
const REQUESTS = 3_000;
/** Concurrent requests. RADIUS allows a client 256 per port. */
const AT_ONCE = 64;
const MIN_PER_SECOND = 1_000;

export const radius: Row = {
  name: 'radius',
  title: 'RADIUS answers',
  about: `Access-Requests that are rejected immediately, because no member has the name: the packet is verified, the application is found by its secret, the
user is looked up, and the rejection is signed. ${AT_ONCE} are in flight, from one port. The number is per second of the portal's processor time, the median
of ${ROUNDS} rounds of ${REQUESTS} after ${WARM_UP} warm-up requests; the client's work is not counted.`,
  run: measureAnswers,
};

async function measureAnswers(folder: string): Promise<Measurement[]> {
  const portal = await startProgram(PORTAL, {
    path: '/api/health',
    env: { ...portalEnv(join(folder, 'portal.db')), RADIUS_PORT: '0' },
    log: join(folder, 'log'),
  });
  try {
    const { port, secret } = await gatewayOf(portal.url);
    await using client = await radiusClient(port);
    await ask(WARM_UP);
    const rates: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = await portal.usage();
      await ask(REQUESTS);
      const { cpu } = await portal.usage();
      rates.push(REQUESTS / ((cpu - before.cpu) / 1_000_000));
    }
    const rate = Math.round(median(rates));
    return [
      {
        what: 'rejected immediately',
        ours: `${rate} a second`,
        target: { words: `≥ ${MIN_PER_SECOND} a second`, isMet: rate >= MIN_PER_SECOND },
      },
    ];

    async function ask(count: number): Promise<void> {
      const goal = client.received.length + count;
      for (let sent = 0; sent < count; ) {
        const few = Math.min(AT_ONCE, count - sent);
        for (let at = 0; at < few; at += 1) {
          client.send(radiusRequest({ secret, name: 'nobody@acme.test', identifier: (sent + at) % 256 }));
        }
        sent += few;
        await client.until(goal - count + sent);
      }
    }
  } finally {
    await portal.stop();
  }
}

async function gatewayOf(url: string): Promise<{ port: number; secret: string }> {
  const { token } = await createPortalCall({ baseUrl: url })(makeSession, { body: { email: 'super.admin@acme.test' } });
  const body = { orgCode: 'acme', integrationType: 'radius' as const, name: 'Gateway' };
  const call = createPortalCall({ baseUrl: url, headers: { authorization: `Bearer ${token}` } });
  const { app } = await call(createApp, { params: { orgCode: 'acme' }, body });
  const { port = null, secret = '' } = app.radiusConfiguration ?? {};
  if (port === null) throw new Error("The portal's RADIUS port is off.");
  return { port, secret };
}
