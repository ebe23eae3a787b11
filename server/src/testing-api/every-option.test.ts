import { createServer } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { bulkInviteLive, contract, loginLive } from '@orchestrate/shared';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BROWSER_OPTIONS } from './browser.ts';
import { ADDRESS_OPTIONS, CREDENTIALS, connectPortal } from './connect-portal.ts';
import { explainFailures, FAILURE_OPTIONS, type FailureOptions } from './explain-failures.ts';
import { NEXT_OPTIONS } from './live-client.ts';
import type { Portal } from './portal.ts';
import type { Options } from './require-options.ts';
import { START_OPTIONS, startPortal } from './start-portal.ts';

const USER = 'user@acme.test';
const LAB_TOKEN = 'a-token-of-the-lab-with-40-characters-xx';
const WIKI = 'http://localhost:8080/oidc/callback';
const AUTHORIZE = `/oidc/acme/auth?${new URLSearchParams({
  client_id: 'team-wiki',
  redirect_uri: WIKI,
  response_type: 'code',
  scope: 'openid',
  code_challenge: 'x'.repeat(43),
  code_challenge_method: 'S256',
})}`;

let portal: Portal;
let closed: Portal;
beforeAll(async () => {
  portal = await startPortal();
  closed = await startPortal({ env: { HOST: '0.0.0.0', LAB_TOKEN } });
});
afterAll(async () => {
  await portal.close();
  await closed.close();
});

/** The options of the calls that run in the test's own process. The portal checks all others. */
const TABLES: Readonly<Record<string, Options>> = {
  startPortal: START_OPTIONS,
  connectPortal: ADDRESS_OPTIONS,
  'portal.call': CREDENTIALS,
  'portal.open': CREDENTIALS,
  'portal.browser': BROWSER_OPTIONS,
  'live.next': NEXT_OPTIONS,
  explainFailures: FAILURE_OPTIONS,
};

/** Observes a call with the option (`isOn`) and without it. */
const CASES: Readonly<Record<string, (isOn: boolean) => Promise<unknown>>> = {
  'startPortal seed': async (isOn) => {
    await using started = await startPortal(isOn ? { seed: 'none' } : {});
    return (await started.people()).total;
  },
  'startPortal now': async (isOn) => {
    await using started = await startPortal(isOn ? { now: '2030-01-01T00:00:00Z' } : {});
    return (await started.clock()).now.slice(0, 4);
  },
  'startPortal port': async (isOn) => {
    await using first = await startPortal();
    const port = Number(new URL(first.url).port);
    return await outcomeOf(startPortal(isOn ? { port } : {}).then((other) => other.close()));
  },
  'startPortal env': async (isOn) => {
    await using started = await startPortal(isOn ? { env: { CORS_ORIGINS: 'http://shop.test' } } : {});
    const { headers } = await fetch(`${started.url}/api/health`, { headers: { origin: 'http://shop.test' } });
    return headers.get('access-control-allow-origin');
  },
  'startPortal onLog': async (isOn) => {
    const lines: string[] = [];
    await using started = await startPortal(isOn ? { onLog: (line) => lines.push(line) } : {});
    await fetch(`${started.url}/api/health`);
    return lines.length > 0;
  },
  'connectPortal url': async (isOn) => connectPortal({ url: isOn ? closed.url : portal.url }).url,
  'connectPortal labToken': (isOn) =>
    outcomeOf(connectPortal({ url: closed.url, ...(isOn && { labToken: LAB_TOKEN }) }).people()),
  'portal.call token': async (isOn) => {
    const { token } = await portal.session({ email: USER });
    return outcomeOf(portal.call(contract.getProfile, {}, isOn ? { token } : {}));
  },
  'portal.open token': async (isOn) => {
    const { token } = await portal.session({ email: 'super.admin@acme.test' });
    const opening = portal.open(bulkInviteLive, { uploadId: 'upload-1' }, isOn ? { token } : {});
    return outcomeOf(opening.then((live) => live.close()));
  },
  'portal.browser as': async (isOn) => (await portal.browser(isOn ? { as: USER } : {}).open(AUTHORIZE)).url.pathname,
  'portal.browser answer': async (isOn) =>
    (await portal.browser({ as: USER, ...(isOn && { answer: 'deny' }) }).open(AUTHORIZE)).url.searchParams.has('code'),
  'portal.browser stopsAtApplication': async (isOn) => {
    let calls = 0;
    const shop = createServer((_request, response) => {
      calls += 1;
      response.end('shop');
    });
    await new Promise<void>((resolve) => shop.listen(0, 'localhost', resolve));
    const { port } = Object(shop.address());
    const { url } = await portal
      .browser({ as: USER, ...(isOn && { stopsAtApplication: true }) })
      .open(AUTHORIZE.replace('localhost%3A8080', `localhost%3A${port}`));
    shop.close();
    return { calls, hasCode: url.searchParams.has('code') };
  },
  'live.next timeout': async (isOn) => {
    const { loginId = '' } = await portal.call(contract.login, { body: { orgCode: 'acme', mode: 'QID' } });
    const live = await portal.open(loginLive, { loginId });
    await live.next();
    const next = live.next(isOn ? { timeout: 5 } : {}).catch(({ message }) => /within 5 ms/.test(message));
    // Without a timeout, only the end of the connection ends the call.
    if (!isOn) live.close();
    const seen = await next;
    live.close();
    return seen;
  },
  'explainFailures afterEach': async (isOn) => {
    const hooks: unknown[] = [];
    const options = isOn ? { afterEach: (hook: unknown) => hooks.push(hook) } : {};
    return outcomeOf(Promise.resolve().then(() => explainFailures(() => portal, options as FailureOptions)));
  },
  'explainFailures failOnUnused': async (isOn) => {
    await portal.reset();
    await portal.fault({ match: { path: '/api/profile' }, answer: { status: 500 } });
    const hooks: Parameters<FailureOptions['afterEach']>[0][] = [];
    explainFailures(() => portal, { afterEach: (hook) => hooks.push(hook), ...(isOn && { failOnUnused: true }) });
    const outcome = await outcomeOf(hooks[0]?.({ task: { result: { state: 'pass' } } }) ?? Promise.resolve());
    await portal.reset();
    return outcome;
  },
};

/** Resolves to `accepted`, or to the name of the error. */
const outcomeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'accepted',
    ({ name }) => name,
  );

test('has a case for every option', () => {
  const options = Object.entries(TABLES).flatMap(([call, table]) =>
    Object.keys(table).map((name) => `${call} ${name}`),
  );
  expect(Object.keys(CASES).sort()).toEqual(options.sort());
});

test.each(Object.entries(CASES))('%s makes a difference', async (_option, observe) => {
  const [without, found] = [await observe(false), await observe(true)];
  expect(isDeepStrictEqual(found, without), `With and without the option: ${JSON.stringify(found)}`).toBe(false);
});
