import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createApp, createSamlApp, getApp } from '@orchestrate/shared';
import { oidcQuickStarts, type QuickStart, SECRET_VARIABLE, samlQuickStarts } from '@orchestrate/shared/quick-starts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { acs, spMetadata } from '#testing/metadata.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

const USER = 'user@acme.test';
const orgCode = 'acme';

let portal: TestPortal;
let token: string;
let folder: string;
const running: ChildProcess[] = [];
beforeEach(async () => {
  portal = await testPortal();
  ({ token } = await portal.signIn('super.admin@acme.test'));
  folder = mkdtempSync(join(tmpdir(), 'orchestrate-quick-start-'));
  symlinkSync(join(import.meta.dirname, '../../../../node_modules'), join(folder, 'node_modules'));
});
afterEach(async () => {
  for (const program of running.splice(0)) {
    program.kill();
    await once(program, 'exit');
  }
  rmSync(folder, { recursive: true });
  await portal.close();
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, 'localhost');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

/** Runs a quick start's program unchanged, and waits until it responds. */
async function run({ files }: QuickStart, site: string, env: Record<string, string> = {}): Promise<void> {
  for (const { name, text } of files) writeFileSync(join(folder, name), text);
  const program = spawn(process.execPath, ['app.mjs'], { cwd: folder, env: { ...process.env, ...env }, stdio: 'pipe' });
  running.push(program);
  let words = '';
  program.stderr?.on('data', (part) => {
    words += part;
  });
  for (;;) {
    if (program.exitCode !== null) throw new Error(words);
    const isUp = await fetch(site, { redirect: 'manual' }).then(
      () => true,
      () => false,
    );
    if (isUp) return;
    await pause(20);
  }
}

const chosen = (starts: QuickStart[], id: string): QuickStart => {
  const found = starts.find((start) => start.id === id);
  if (!found) throw new Error(`There is no ${id}.`);
  return found;
};
const text = (start: QuickStart, name: string) => start.files.find((file) => file.name === name)?.text ?? '';

async function oidc(callback = '/callback') {
  const site = `http://localhost:${await freePort()}`;
  const clients = { redirect_uris: [site + callback], post_logout_redirect_uris: [site] };
  const body = { orgCode, name: 'Quick', oidcConfiguration: { clients } };
  const { app } = (await portal.call(createApp, { params: { orgCode }, body }, { token })).body;
  const { domainUrl: issuer, clients: client } = app.oidcConfiguration ?? {};
  const values = { issuer: issuer ?? '', clientId: client?.client_id ?? '', callbackUrl: site + callback };
  return { site, starts: oidcQuickStarts(values), secret: client?.client_secret ?? '', values };
}

describe('a quick start', () => {
  test('signs a member in with openid-client', async () => {
    const { site, starts, secret } = await oidc();
    await run(chosen(starts, 'openid-client'), site, { [SECRET_VARIABLE]: secret });
    const page = await portal.lab.browser({ as: USER }).open(site);
    expect(page.text).toBe(`Signed in as ${USER}`);
    const denied = await portal.lab.browser({ as: USER }).open(`${site}/callback?error=access_denied&state=x`);
    expect(denied).toMatchObject({ status: 403, text: expect.stringContaining('Not signed in') });
  });

  test('signs a member in with node-saml, started by the application or the portal', async () => {
    const site = `http://localhost:${await freePort()}`;
    const metadata = spMetadata({ entityId: `${site}/metadata`, services: acs(`${site}/acs`) });
    const flags = { didEnabled: true, webAuthnEnabled: false, forceAuthnEnabled: false };
    const fields = { redirectUrl: site, samlNameId: 'primaryEmail', samlAttributes: ['firstName'], flags };
    const body = { orgCode, name: 'Quick', metadata, ...fields };
    const { appId } = (await portal.call(createSamlApp, { params: { orgCode }, body }, { token })).body;
    const { app } = (await portal.call(getApp, { params: { orgCode, appId } }, { token })).body;
    const { identityProvider, serviceProvider } = app.samlConfiguration ?? {};
    const starts = samlQuickStarts({
      identityProvider: {
        entityId: identityProvider?.entityId ?? '',
        singleSignOnUrl: identityProvider?.singleSignOnUrl ?? '',
        certificate: identityProvider?.certificates[0]?.pem ?? '',
      },
      serviceProvider: { entityId: serviceProvider?.entityId ?? '', acsUrl: `${site}/acs` },
    });
    await run(chosen(starts, 'node-saml'), site);
    for (const started of [site, identityProvider?.singleSignOnUrl ?? '']) {
      const page = await portal.lab.browser({ as: USER }).open(started);
      expect(page.text).toBe(`Signed in as ${USER}`);
    }
  });

  test('configures Spring with issuer and client, and reads the secret from a variable', async () => {
    const { starts, values } = await oidc();
    const { client } = parse(text(chosen(starts, 'spring'), 'application.yml')).spring.security.oauth2;
    expect(client.provider.orchestrate['issuer-uri']).toBe(values.issuer);
    expect(client.registration.orchestrate).toMatchObject({
      'client-id': values.clientId,
      'client-secret': `\${${SECRET_VARIABLE}}`,
    });
  });

  test('contains the application’s values but no secrets', async () => {
    const { starts, secret, values } = await oidc();
    for (const { files } of starts) {
      const all = files.map((file) => file.text).join('\n');
      expect(all).not.toContain(secret);
      expect(all).toContain(values.clientId);
      expect(all).toContain(values.issuer);
    }
  });

  test('escapes quotes in an application’s address', () => {
    const callbackUrl = `https://a.test/'";\`$(x)/cb`;
    const issuer = 'https://portal.test/oidc/acme';
    const starts = oidcQuickStarts({ issuer, clientId: 'a', callbackUrl });
    expect(text(chosen(starts, 'openid-client'), 'app.mjs')).toContain(`new URL(${JSON.stringify(callbackUrl)})`);
    const conf = text(chosen(starts, 'mod-auth-openidc'), 'orchestrate.conf');
    expect(conf).toContain('OIDCRedirectURI https://a.test/%27%22;`$(x)/cb\n');
  });
});
