import * as client from 'openid-client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testBrowser } from '../../browser-testing.ts';
import { memberByEmail } from '../../device-testing.ts';
import { type TestPortal, testPortal } from '../../testing.ts';
import { authorize, exchange, relyingParty, secretOf, signInToWiki, USER } from './relying-party-testing.ts';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => portal.close());

test('a client library signs somebody in with nothing but issuer, client id and secret', async () => {
  const { config, tokens } = await signInToWiki(portal);
  const { suid, primaryAttr } = memberByEmail(portal, 'acme', USER);
  expect(config.serverMetadata().issuer).toBe(`${portal.url}/oidc/acme`);
  expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'openid profile email offline_access' });
  const claims = {
    sub: suid,
    email: USER,
    email_verified: true,
    primaryAttr,
    employeeId: primaryAttr,
    roles: ['USER'],
  };
  expect(tokens.claims()).toMatchObject({ ...claims, amr: ['hwk'] });
  expect(await client.fetchUserInfo(config, tokens.access_token, suid)).toMatchObject(claims);
});

test('a secret may also stand in the body', async () => {
  const config = await relyingParty(portal, { auth: client.ClientSecretPost(secretOf(portal, 'team-wiki')) });
  const tokens = await exchange(config, await authorize(config, testBrowser(portal, USER)));
  expect(tokens.access_token).not.toBe('');
});
