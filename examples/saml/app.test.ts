import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import type { AssertionDamage } from 'orchestrate/contract';
import { type Portal, startPortal } from 'orchestrate/testing';
import { createApp, metadataOf } from './app.ts';

const GRACE = 'grace@acme.test';
const server = createServer();
let portal: Portal;
let url: string;

before(async () => {
  server.listen(0, 'localhost');
  await once(server, 'listening');
  url = `http://localhost:${(server.address() as AddressInfo).port}`;
  const applications = [{ id: 'expenses', type: 'saml' as const, saml: { metadata: metadataOf(url) } }];
  const people = [{ email: GRACE, devices: [{}] }];
  portal = await startPortal({ seed: { organisations: [{ code: 'acme', applications, people }] } });
  server.on('request', await createApp({ url, idp: `${portal.url}/saml/acme/expenses` }));
});
beforeEach(() => portal.reset());
after(async () => {
  await portal.close();
  server.close();
});

/** Presses “Sign in” as the user, whose phone then approves or denies. */
const signIn = (answer?: 'deny') => portal.browser({ as: GRACE, ...(answer && { answer }) }).open(`${url}/login`);

test('signs a user in', async () => {
  assert.equal((await signIn()).text, `Hello, ${GRACE}`);
});

test('stays on the sign-in page if the phone denies', async () => {
  assert.equal((await signIn('deny')).url.pathname, '/acme/sign-in');
});

const DAMAGES: [AssertionDamage, RegExp][] = [
  ['expired', /No valid subject confirmation/],
  ['wrong-audience', /audience mismatch/],
  ['wrong-in-response-to', /InResponseTo is not valid/],
  ['bad-signature', /Invalid document signature/],
  ['unsigned', /Invalid document signature/],
  ['denied', /RequestDenied/],
];
for (const [assertion, why] of DAMAGES) {
  test(`rejects an assertion: ${assertion}`, async () => {
    await portal.fault({ match: { path: '/saml/acme/expenses/sso' }, answer: { assertion } });
    assert.match((await signIn()).text, why);
  });
}
