import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@orchestrate/db';
import { VERSION_0_1_0, writeVersion010 } from '@orchestrate/db/testing';
import { getProfile, refresh } from '@orchestrate/shared';
import request from 'supertest';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { directoryOf } from './protocols/scim/testing.ts';
import { type TestPortal, testPortal } from './testing/test-portal.ts';

let folder: string;
let portal: TestPortal;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'delivered-'));
  const file = join(folder, 'portal.db');
  writeVersion010(file);
  portal = await testPortal({ database: openDatabase({ file }), now: VERSION_0_1_0.now });
});
afterEach(async () => {
  await portal.close();
  rmSync(folder, { recursive: true, force: true });
});

test('upgrading from 0.1.0: a session continues with its refresh token', async () => {
  const { status, body } = await portal.call(refresh, { body: { refreshToken: VERSION_0_1_0.refreshToken } });
  expect(status).toBe(200);
  const { body: me } = await portal.call(getProfile, {}, { token: body.token });
  expect(me.profile.email).toBe('super.admin@acme.test');
});

test("upgrading from 0.1.0: the directory's credentials still work", async () => {
  const { username, password } = VERSION_0_1_0.scim;
  const basic = (secret: string) => `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`;
  expect((await directoryOf(portal, 'acme', basic(password)).get('/Users?count=1')).status).toBe(200);
  expect((await directoryOf(portal, 'acme', basic(`${password}x`)).get('/Users?count=1')).status).toBe(401);
});

test('upgrading from 0.1.0: a phone signs its owner in', async () => {
  const { profile } = await portal.signIn('user@acme.test');
  expect(profile.email).toBe('user@acme.test');
});

test('upgrading from 0.1.0: OpenID Connect still publishes the same keys', async () => {
  const { jwks_uri: address } = (await portal.http.get('/oidc/acme/.well-known/openid-configuration')).body;
  const { body } = await request(address).get('');
  expect(body.keys.map(({ kid }: { kid: string }) => kid).toSorted()).toEqual(VERSION_0_1_0.oidcKeyIds);
});
