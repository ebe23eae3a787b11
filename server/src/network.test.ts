import { spawn } from 'node:child_process';
import { KeyObject, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { connect, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { DAY, endSpace, login, loginLive, makeSpace } from '@orchestrate/shared';
import * as client from 'openid-client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ConfigInvalid, readConfig } from './config.ts';
import { machineNow } from './platform/adapters/clock.ts';
import { makeTls } from './platform/adapters/local-authority.ts';
import { signInToWiki } from './protocols/oidc/relying-party-testing.ts';
import { approveQr, testPortal } from './testing/test-portal.ts';

const MINUTE_MS = 60_000;

let folder: string;
const trusted = getCACertificates('default');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'network-'));
});
afterEach(() => {
  setDefaultCACertificates(trusted);
  rmSync(folder, { recursive: true, force: true });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

test(
  'acceptance 23: uses public and internal URLs, a constant issuer and HTTPS',
  async () => {
    const port = await freePort();
    const [outside, inside] = [`https://localhost:${port}`, `https://127.0.0.1:${port}`];
    const portal = await testPortal({ config: { tls: true, port, publicUrl: outside, backchannelUrl: inside } });
    try {
      const issuer = `${outside}/oidc/acme`;
      const documents = [];
      for (const url of [issuer, `${issuer}/`, `${inside}/oidc/acme`, `${inside}/oidc/acme/`]) {
        const answer = await fetch(`${url}/.well-known/openid-configuration`);
        documents.push(await answer.json());
      }
      const [document] = documents;
      expect(documents).toEqual([document, document, document, document]);
      expect(document).toMatchObject({
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        end_session_endpoint: `${issuer}/session/end`,
        token_endpoint: `${inside}/oidc/acme/token`,
        userinfo_endpoint: `${inside}/oidc/acme/me`,
        jwks_uri: `${inside}/oidc/acme/jwks`,
      });
      const { config, tokens } = await signInToWiki(portal);
      expect(tokens.claims()?.iss).toBe(issuer);
      expect(await client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck)).toMatchObject({
        email: 'user@acme.test',
      });

      setDefaultCACertificates(trusted);
      expect(await problemAt(port, trusted)).toMatch(/self-signed certificate in certificate chain|unable to/);
      expect(await problemAt(port, [readFileSync(portal.deps.tls?.caFile ?? '', 'utf8')])).toBe('');
    } finally {
      await portal.close();
    }
  },
  MINUTE_MS,
);

test(
  'serves calls, cookies, sockets and spaces over HTTPS with TLS=on',
  async () => {
    const portal = await testPortal({ config: { tls: true } });
    try {
      expect(portal.url).toMatch(/^https:\/\/localhost:\d+$/);
      const { body } = await portal.call(login, { body: { orgCode: 'acme', mode: 'QID' } });
      const { loginId = '', qid = '' } = body;
      const socket = await portal.open(loginLive, { loginId });
      expect(await socket.next()).toMatchObject({ state: 'init' });
      await approveQr(portal, portal.device('user@acme.test'), { loginId, qid, matchNumber: undefined });
      let seen = await socket.next();
      while (seen.state !== 'success') seen = await socket.next();
      socket.close();

      const started = await portal.http.get('/api/oidc/login?orgCode=acme').redirects(0);
      expect(String(started.headers['set-cookie'])).toMatch(/^__Host-browser_id=.*; Secure;/);
      // HSTS would force browsers to use HTTPS on every port of `localhost` for a year.
      expect(started.headers['strict-transport-security']).toBeUndefined();

      const space = (await portal.call(makeSpace, { body: {} })).body;
      expect(space.url).toMatch(/^https:\/\/localhost:\d+$/);
      const document = await fetch(`${space.url}/oidc/acme/.well-known/openid-configuration`);
      expect(await document.json()).toMatchObject({ issuer: `${space.url}/oidc/acme` });
      await portal.call(endSpace, { params: { spaceId: space.spaceId } });
    } finally {
      await portal.close();
    }
  },
  MINUTE_MS,
);

test(
  'prints the CA path and reuses the CA on the next start for all portal hostnames',
  async () => {
    const env = { TLS: 'on', DATABASE_FILE: join(folder, 'portal.db') };
    const { url, ca } = await start(env);
    expect(url).toMatch(/^https:/);
    expect(ca).toBe(join(folder, 'ca.pem'));
    expect(statSync(ca).mode & 0o777).toBe(0o644);
    expect(statSync(join(folder, 'ca.key')).mode & 0o777).toBe(0o600);

    const names = { PUBLIC_URL: 'https://portal.example', BACKCHANNEL_URL: 'https://10.0.0.7:3000' };
    const again = await makeTls(readConfig({ ...env, ...names, HOST: '0.0.0.0' }));
    expect(again?.ca).toBe(readFileSync(ca, 'utf8'));
    const certificate = new X509Certificate(again?.cert ?? '');
    for (const name of ['localhost', 'portal.example', hostname()]) expect(certificate.checkHost(name)).toBe(name);
    for (const ip of ['127.0.0.1', '::1', '10.0.0.7']) expect(certificate.checkIP(ip)).toBe(ip);
    expect(certificate.checkHost('0.0.0.0')).toBeUndefined();
  },
  MINUTE_MS,
);

test('refuses to start with an unusable CA and prints a one-line fix', async () => {
  const config = readConfig({ TLS: 'on', DATABASE_FILE: join(folder, 'portal.db') });
  await makeTls(config);
  writeFileSync(join(folder, 'ca.key'), 'not a key');
  const line =
    /^The certificate authority for TLS=on cannot be used \(.+\)\. Restore the right \S+ca\.pem and \S+ca\.key, or delete both files\./;
  await expect(makeTls(config)).rejects.toThrow(line);
  await writeAuthority('P-384');
  await expect(makeTls(config)).rejects.toThrow(line);
  await expect(makeTls(config)).rejects.toThrow('it needs an EC key on the curve P-256');
  rmSync(join(folder, 'ca.key'));
  await expect(makeTls(config)).rejects.toThrow('has no matching certificate or key');
  rmSync(join(folder, 'ca.pem'));
  expect(await makeTls(config)).not.toBeNull();
});

/** Writes a CA as a user would supply it. */
async function writeAuthority(namedCurve: string): Promise<void> {
  await import('reflect-metadata');
  const { BasicConstraintsExtension, X509CertificateGenerator } = await import('@peculiar/x509');
  const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve }, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: [{ CN: ['our own'] }],
    notAfter: new Date(Date.UTC(2090, 0)),
    keys,
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    extensions: [new BasicConstraintsExtension(true, 0, true)],
  });
  writeFileSync(join(folder, 'ca.pem'), certificate.toString('pem'));
  const privateKey = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' });
  writeFileSync(join(folder, 'ca.key'), privateKey);
}

/** Starts a portal in a separate process and stops it once it is ready. */
async function start(env: NodeJS.ProcessEnv): Promise<{ url: string; ca: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../main.js'), '--json'], {
    env: { PATH: process.env.PATH, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    child.kill('SIGKILL');
    await ended;
    return JSON.parse(line);
  }
  throw new Error('The server ended before it was ready.');
}

/** Returns the TLS error of a client that trusts the given CAs, or '' if the handshake succeeds. */
function problemAt(port: number, ca: string[]): Promise<string> {
  return new Promise((done) => {
    const socket = connect({ port, host: '127.0.0.1', ca, servername: 'localhost' });
    socket.once('secureConnect', () => {
      socket.destroy();
      done('');
    });
    socket.once('error', (reason) => done(reason.message));
  });
}

describe('a certificate of your own', () => {
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const refusalOf = (environment: Record<string, string>) =>
    (async () => makeTls(readConfig({ TLS: 'on', ...environment })))().then(
      () => 'accepted',
      (reason: unknown) => (reason instanceof ConfigInvalid ? reason.message : String(reason)),
    );

  /** Creates a self-signed certificate that expires in `days`. */
  async function selfSigned(days: number) {
    await import('reflect-metadata');
    const x509 = await import('@peculiar/x509');
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
    const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const made = await x509.X509CertificateGenerator.createSelfSigned({
      name: 'CN=localhost',
      keys,
      signingAlgorithm: algorithm,
      notBefore: new Date(machineNow() - 3 * DAY),
      notAfter: new Date(machineNow() + days * DAY),
      extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: 'localhost' }])],
    });
    const key = String(KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }));
    return { cert: write(`${days}.pem`, made.toString('pem')), key: write(`${days}.key`, key) };
  }

  test('is served, and trusted by this process only until the portal is closed', async () => {
    const tlsFiles = await selfSigned(1);
    const portal = await testPortal({ config: { tls: true, tlsFiles } });
    const port = Number(new URL(portal.url).port);
    expect(portal.deps.authorityFile).toBe(tlsFiles.cert);
    const own = readFileSync(tlsFiles.cert, 'utf8');
    expect(await problemAt(port, [own])).toBe('');
    const isTrusted = () =>
      getCACertificates('default').some((pem) => new X509Certificate(pem).raw.equals(new X509Certificate(own).raw));
    expect(isTrusted()).toBe(true);
    expect((await portal.call(login, { body: { orgCode: 'acme', mode: 'QID' } })).status).toBe(200);
    await portal.close();
    expect(isTrusted()).toBe(false);
  });

  test('is refused with the name of the setting', async () => {
    const [own, other, expired] = await Promise.all([1, 2, -1].map(selfSigned));
    const pair = ({ cert = '', key = '' } = {}) => ({ TLS_CERT: cert, TLS_KEY: key });
    const text = write('notes.txt', 'No certificate');
    expect(await refusalOf(pair(own))).toBe('accepted');
    expect(await refusalOf({ TLS_CERT: own?.cert ?? '' })).toContain('TLS_CERT requires TLS_KEY. Set both or neither.');
    expect(await refusalOf({ TLS_KEY: own?.key ?? '' })).toContain('TLS_KEY requires TLS_CERT. Set both or neither.');
    expect(await refusalOf({ ...pair(own), TLS: 'off' })).toContain('TLS_CERT has no effect without TLS=on');
    expect(await refusalOf({ ...pair(own), TLS_CERT: join(folder, 'gone') })).toMatch(
      /TLS_CERT cannot be read .*ENOENT/,
    );
    expect(await refusalOf({ ...pair(own), TLS_CERT: text })).toMatch(/TLS_CERT .* must be a certificate in PEM/);
    expect(await refusalOf({ ...pair(own), TLS_KEY: text })).toMatch(/TLS_KEY .* must be an unencrypted private key/);
    expect(await refusalOf({ ...pair(own), TLS_KEY: other?.key ?? '' })).toContain('TLS_KEY does not belong to');
    expect(await refusalOf(pair(expired))).toMatch(/TLS_CERT .* expired at \d{4}-/);
  });
});
