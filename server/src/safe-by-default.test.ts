import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createWebhook } from '@orchestrate/shared';
import request from 'supertest';
import { expect, test } from 'vitest';
import { type Config, readConfig } from './config.ts';
import { requireLabDecision } from './lab/lab-token-file.ts';
import { testPortal } from './testing/test-portal.ts';

const TOKEN = 'a-token-of-the-lab';
const PUBLIC = [
  { HOST: '0.0.0.0' },
  { PUBLIC_URL: 'https://portal.example' },
  { BACKCHANNEL_URL: 'http://portal:3000' },
];

test('The server binds loopback; on a non-loopback address the control API is off unless a token is set; `NODE_ENV=production` refuses to start without an explicit flag; `redirect_uri` outside the allow-list and any server-side fetch to a user-supplied URL are refused.', async () => {
  const portal = await testPortal();
  try {
    expect(portal.app.server.address()).toMatchObject({ address: '127.0.0.1' });

    const wish = {
      response_type: 'code',
      client_id: 'team-wiki',
      scope: 'openid',
      redirect_uri: 'https://evil.example',
    };
    const refused = await portal.http.get('/oidc/acme/auth').query(wish).redirects(0);
    expect(refused.status).toBe(400);
    expect(refused.headers.location).toBeUndefined();

    const { token } = await portal.signIn('super.admin@acme.test');
    for (const url of ['https://10.0.0.7/', 'https://169.254.169.254/latest/meta-data', 'http://example.org/']) {
      const { status, body } = await portal.call(createWebhook, { body: { url } }, { token });
      expect([url, status, body.resultName]).toEqual([url, 400, 'INVALID_REQUEST']);
      expect(body.issues).toMatchObject([{ path: 'url' }]);
    }
  } finally {
    await portal.close();
  }

  for (const labToken of [null, TOKEN]) {
    const asked = await clockOf({ host: '0.0.0.0', labToken });
    expect(asked).toEqual(labToken ? [403, 200] : [403, 403]);
  }

  expect(await startEnd({ NODE_ENV: 'production', HOST: '0.0.0.0' })).toEqual({
    code: 1,
    complaint:
      'NODE_ENV=production does not start the lab without a token on a portal that is reached from elsewhere (HOST, PUBLIC_URL, BACKCHANNEL_URL). Set LAB_TOKEN, where auto makes one, or LAB=off.\n',
  });
}, 60_000);

test.each(PUBLIC)('in production %o needs a token for the lab, or no lab', (env) => {
  const decide = (more: object) => () => requireLabDecision(readConfig({ NODE_ENV: 'production', ...env, ...more }));
  expect(decide({})).toThrow('Set LAB_TOKEN');
  for (const said of [{ LAB_TOKEN: 'auto' }, { LAB_TOKEN: TOKEN }, { LAB: 'off' }]) expect(decide(said)).not.toThrow();
});

test.each([{}, { NODE_ENV: 'development', HOST: '0.0.0.0' }, { HOST: '0.0.0.0' }, { NODE_ENV: 'production' }])(
  'elsewhere the start goes on, and the lab is closed where strangers come: %o',
  (env) => {
    expect(() => requireLabDecision(readConfig(env))).not.toThrow();
  },
);

test('the lab of a space wants the token too where the portal beside it is public', async () => {
  const portal = await testPortal({ config: { publicUrl: 'https://portal.example', labToken: TOKEN } });
  try {
    const address = portal.app.server.address();
    const here = (port: number | string) => `http://localhost:${port}`;
    const own = typeof address === 'object' && address ? address.port : 0;
    const made = await request(here(own)).post('/api/lab/spaces').auth(TOKEN, { type: 'bearer' }).send({});
    expect(made.body.url).toMatch(/^http:\/\/portal\.example:\d+$/);
    const space = here(new URL(made.body.url).port);
    const without = await request(space).get('/api/lab/clock');
    const withToken = await request(space).get('/api/lab/clock').auth(TOKEN, { type: 'bearer' });
    expect([without.status, withToken.status]).toEqual([403, 200]);
    expect(without.headers['strict-transport-security']).toBeUndefined();
  } finally {
    await portal.close();
  }
});

/** How the lab of such a portal answers, without the token and with it. */
async function clockOf(config: Partial<Config>): Promise<number[]> {
  const portal = await testPortal({ config });
  try {
    const without = await request(portal.url).get('/api/lab/clock');
    // Strangers do not learn which calls there are.
    expect((await request(portal.url).post('/api/lab/clok')).status).toBe(403);
    const withToken = await request(portal.url).get('/api/lab/clock').auth(TOKEN, { type: 'bearer' });
    return [without.status, withToken.status];
  } finally {
    await portal.close();
  }
}

/** Starts a portal that is not expected to run. */
async function startEnd(env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../main.js'), '--json'], {
    env: { PATH: process.env.PATH, PORT: '0', DATABASE_FILE: ':memory:', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [complaint, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return { code, complaint };
}
