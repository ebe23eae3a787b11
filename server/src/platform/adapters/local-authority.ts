import { execFile } from 'node:child_process';
import { createPrivateKey, KeyObject, randomBytes, X509Certificate } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { DAY } from '@orchestrate/shared';
import { type Config, ConfigInvalid } from '#config.ts';
import { machineNow } from './clock.ts';
import { withoutBrackets } from './outside-address.ts';

/** Certificates for serving HTTPS, as PEM. */
export interface Tls {
  key: string;
  cert: string;
  /** CA certificate, which clients must trust; null if the portal's own certificate comes without its CA. */
  ca: string | null;
  /** Path of the CA certificate, for configuring clients; null without `ca`. */
  caFile: string | null;
}

/** CA that signs the portal's certificates. */
interface Authority {
  certificate: string;
  privateKey: string;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' };
const SIGNING = { name: 'ECDSA', hash: 'SHA-256' };
const AUTHORITY_MS = 3_652 * DAY;
/** Certificate lifetime, in milliseconds. The maximum that browsers accept. */
const CERTIFICATE_MS = 397 * DAY;
/** How far certificates are backdated, in milliseconds, because container and virtual machine clocks drift. */
const EARLIER_MS = DAY;

/**
 * Reads the certificate in `TLS_CERT`, or creates one on every start with `TLS=on`, signed by a CA that is created on the first start and reused
 * for as long as it outlives new certificates. The CA is stored next to the database as `ca.pem` and `ca.key`
 * (readable only by this account). With an in-memory database, only `ca.pem` is written, to a temporary folder that is
 * deleted on exit: a process that is killed leaves no key behind.
 * @throws ConfigInvalid if the files can't be read or written, don't match, or have expired
 */
export async function makeTls(config: Config): Promise<Tls | null> {
  if (!config.tls) return null;
  if (config.tlsFiles) return readTls(config.tlsFiles);
  const isStored = config.databaseFile !== ':memory:';
  const folder = isStored ? dirname(resolve(config.databaseFile)) : temporaryFolder();
  const caFile = join(folder, 'ca.pem');
  const authority = isStored ? await storedAuthority(caFile, join(folder, 'ca.key')) : await makeAuthority();
  if (!isStored) writeFileSync(caFile, authority.certificate, { mode: 0o644 });
  return { ...(await certificateFor(await namesOf(config), authority)), ca: authority.certificate, caFile };
}

/** Reads the portal's own certificate. @throws ConfigInvalid that names the setting */
function readTls(files: NonNullable<Config['tlsFiles']>): Tls {
  const cert = readPem('TLS_CERT', files.cert);
  const key = readPem('TLS_KEY', files.key);
  const certificate = parsed('TLS_CERT', files.cert, 'a certificate in PEM', () => new X509Certificate(cert));
  const privateKey = parsed('TLS_KEY', files.key, 'an unencrypted private key in PEM', () => createPrivateKey(key));
  if (!certificate.checkPrivateKey(privateKey))
    throw new ConfigInvalid(`The key in TLS_KEY does not belong to the certificate in TLS_CERT (${files.cert}).`);
  const { validFromDate: from, validToDate: to } = certificate;
  if (to.getTime() <= machineNow())
    throw new ConfigInvalid(`The certificate in TLS_CERT (${files.cert}) expired at ${to.toISOString()}.`);
  if (from.getTime() > machineNow())
    throw new ConfigInvalid(`The certificate in TLS_CERT (${files.cert}) is not valid yet.`);
  // Only a file that ends with a self-signed certificate contains what clients need to verify it.
  const last = new X509Certificate(cert.slice(cert.lastIndexOf('-----BEGIN CERTIFICATE-----')));
  return last.checkIssued(last)
    ? { key, cert, ca: last.toString(), caFile: resolve(files.cert) }
    : { key, cert, ca: null, caFile: null };
}

function readPem(setting: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (reason) {
    throw new ConfigInvalid(
      `The file in ${setting} cannot be read (${reason instanceof Error ? reason.message : file}).`,
    );
  }
}

function parsed<Value>(setting: string, file: string, what: string, read: () => Value): Value {
  try {
    return read();
  } catch {
    throw new ConfigInvalid(`The file in ${setting} (${file}) must be ${what}.`);
  }
}

/** Number of running portals in this process by their CA. */
const trusted = new Map<string, number>();

/**
 * Makes this process trust the CA, because the portal calls itself when one organisation signs in through another.
 * @returns a function for when the portal is closed, so that the process no longer trusts the CA
 */
export function trustAuthority({ ca }: Tls): () => void {
  if (ca === null) return () => undefined;
  const { getCACertificates, setDefaultCACertificates } = process.getBuiltinModule('node:tls');
  trusted.set(ca, (trusted.get(ca) ?? 0) + 1);
  setDefaultCACertificates([...getCACertificates('default'), ca]);
  return () => {
    const others = (trusted.get(ca) ?? 1) - 1;
    trusted.set(ca, others);
    if (others > 0) return;
    trusted.delete(ca);
    const { fingerprint256 } = new X509Certificate(ca);
    setDefaultCACertificates(
      getCACertificates('default').filter((pem) => new X509Certificate(pem).fingerprint256 !== fingerprint256),
    );
  };
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'orchestrate-ca-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns all hostnames and addresses of the portal, except unspecified addresses such as `0.0.0.0`. */
async function namesOf({ host, publicUrl, backchannelUrl }: Config): Promise<string[]> {
  const hosts = [host, ...[publicUrl, backchannelUrl].flatMap((url) => (url ? [new URL(url).hostname] : []))];
  const names = ['localhost', '127.0.0.1', '::1', ...hosts.map(withoutBrackets), ...(await machineNames())];
  return [...new Set(names)].filter((name) => !['0.0.0.0', '::'].includes(name));
}

/** Timeout of a DNS lookup, in milliseconds. */
const LOOKUP_TIMEOUT = 5_000;

/**
 * Returns the hostnames of this machine. For `localhost`, libldap compares a certificate with the canonical hostname,
 * which Node's API doesn't expose. `hostname -f` makes the same call (getaddrinfo, AI_CANONNAME).
 */
async function machineNames(): Promise<string[]> {
  const canonical = await promisify(execFile)('hostname', ['-f'], { timeout: LOOKUP_TIMEOUT }).then(
    ({ stdout }) => stdout.trim(),
    // If `hostname -f` fails, use only the plain hostname, as libldap does.
    () => '',
  );
  return [hostname(), canonical].filter((name) => /^[\w-]+(\.[\w-]+)*$/.test(name));
}

async function storedAuthority(caFile: string, keyFile: string): Promise<Authority> {
  try {
    const existing = [caFile, keyFile].filter((file) => existsSync(file));
    if (existing.length === 1) throw new Error(`${existing[0]} has no matching certificate or key`);
    if (existing.length === 2) {
      const authority = { certificate: readFileSync(caFile, 'utf8'), privateKey: readFileSync(keyFile, 'utf8') };
      if (isLastingAuthority(authority)) return authority;
    }
    const made = await makeAuthority();
    writeFileSync(keyFile, made.privateKey, { mode: 0o600 });
    writeFileSync(caFile, made.certificate, { mode: 0o644 });
    return made;
  } catch (reason) {
    const why = reason instanceof Error ? reason.message : String(reason);
    throw new ConfigInvalid(
      `The certificate authority for TLS=on cannot be used (${why}). Restore the right ${caFile} and ${keyFile}, or delete both files. The next start then creates a new certificate authority, which your programs must trust.`,
    );
  }
}

/**
 * Returns true if the CA outlives a certificate created now. @throws Error if the certificate isn't a CA, or its key
 * doesn't match or isn't EC P-256
 */
function isLastingAuthority({ certificate, privateKey }: Authority): boolean {
  const known = new X509Certificate(certificate);
  const key = createPrivateKey(privateKey);
  if (!known.ca || !known.checkPrivateKey(key)) throw new Error('the key does not belong to the certificate');
  // `prime256v1` is OpenSSL's name for P-256.
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw new Error('it needs an EC key on the curve P-256');
  return known.validToDate.getTime() > machineNow() + CERTIFICATE_MS;
}

/** Loads the X.509 library, which takes 24 MB and is needed only with `TLS=on` (decision 018). */
async function loadX509() {
  await import('reflect-metadata');
  return import('@peculiar/x509');
}

async function makeAuthority(): Promise<Authority> {
  const x509 = await loadX509();
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: [{ O: ['Orchestrate'] }, { CN: [`Orchestrate local authority ${randomBytes(4).toString('hex')}`] }],
    ...lifetime(AUTHORITY_MS),
    keys,
    signingAlgorithm: SIGNING,
    extensions: [
      // The CA can sign server certificates but no intermediate CAs.
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate: certificate.toString('pem'), privateKey: pemOf(KeyObject.from(keys.privateKey)) };
}

async function certificateFor(names: string[], authority: Authority): Promise<Pick<Tls, 'key' | 'cert'>> {
  const x509 = await loadX509();
  const issuer = new x509.X509Certificate(authority.certificate);
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: [{ CN: [names[0] ?? 'localhost'] }],
    issuer: issuer.subjectName,
    ...lifetime(CERTIFICATE_MS - EARLIER_MS),
    publicKey: keys.publicKey,
    signingKey: await crypto.subtle.importKey('pkcs8', derOf(authority.privateKey), ALGORITHM, false, ['sign']),
    signingAlgorithm: SIGNING,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        names.map((value) => ({ type: isIP(value) ? ('ip' as const) : ('dns' as const), value })),
      ),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { key: pemOf(KeyObject.from(keys.privateKey)), cert: certificate.toString('pem') };
}

/** Returns a certificate's validity period in machine time, because clients check it against real time. */
const lifetime = (milliseconds: number) => ({
  notBefore: new Date(machineNow() - EARLIER_MS),
  notAfter: new Date(machineNow() + milliseconds),
});

/** Returns a positive, unique serial number (RFC 5280 §4.1.2.2). */
const serialNumber = (): string => `01${randomBytes(15).toString('hex')}`;

const pemOf = (key: KeyObject): string => String(key.export({ type: 'pkcs8', format: 'pem' }));

const derOf = (pem: string) => new Uint8Array(createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' }));
