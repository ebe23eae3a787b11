import { testOidcConfiguration } from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import { CLIENT, type ForeignProvider, foreignProvider } from './foreign-provider-testing.ts';

let portal: TestPortal;
let foreign: ForeignProvider;
let token: string;
beforeEach(async () => {
  portal = await testPortal();
  ({ token } = await portal.signIn('super.admin@acme.test'));
  foreign = await foreignProvider(`${portal.url}/api/oidc/callback`);
});
afterEach(async () => {
  await foreign.close();
  await portal.close();
});

async function trySettings(given: { clientId?: string; clientSecret?: string }) {
  const body = { configurationUrl: foreign.issuer, ...given };
  const { checks } = (await portal.call(testOidcConfiguration, { body }, { token })).body;
  return checks.map(({ subject, result }) => `${subject} ${result}`);
}

test('accepts a provider that accepts client, callback and secret, without signing anyone in', async () => {
  expect(await trySettings(CLIENT)).toEqual(['client accepted', 'secret accepted']);
  expect(foreign.requestedPaths.filter((path) => path.startsWith('/interaction'))).toEqual([]);
});

test('reports an unknown client ID', async () => {
  expect(await trySettings({ ...CLIENT, clientId: 'somebody-else' })).toEqual(['client refused', 'secret refused']);
});

test('reports a wrong secret separately', async () => {
  expect(await trySettings({ ...CLIENT, clientSecret: 'wrong' })).toEqual(['client accepted', 'secret refused']);
});

test('reports an unregistered callback address', async () => {
  const other = await foreignProvider('https://elsewhere.test/callback');
  await foreign.close();
  foreign = other;
  expect(await trySettings(CLIENT)).toEqual(['client refused', 'secret accepted']);
});

test('reports no result if the provider responds with its own pages or not at all', async () => {
  foreign.instead.set('/auth', { status: 200, json: {} });
  foreign.instead.set('/token', { status: 400, json: { error: 'invalid_request' } });
  expect(await trySettings(CLIENT)).toEqual(['client unknown', 'secret unknown']);
  foreign.instead.set('/auth', { status: 503, json: {} });
  foreign.instead.set('/token', { status: 503, json: {} });
  expect(await trySettings(CLIENT)).toEqual(['client unknown', 'secret unknown']);
});

test('reads only the document if there is no client ID, and checks no secret if none is given', async () => {
  expect(await trySettings({})).toEqual([]);
  expect(await trySettings({ clientId: CLIENT.clientId })).toEqual(['client accepted']);
  expect(foreign.requestedPaths).not.toContain('/token');
});

test('doesn’t repeat the provider’s own error text', async () => {
  foreign.instead.set('/token', { status: 401, json: { error: 'invalid_client', error_description: 'call 555-0100' } });
  const body = { configurationUrl: foreign.issuer, ...CLIENT };
  const reply = await portal.call(testOidcConfiguration, { body }, { token });
  expect(JSON.stringify(reply.body)).not.toContain('555');
  expect(reply.body.checks.at(-1)).toMatchObject({ subject: 'secret', result: 'refused' });
});
