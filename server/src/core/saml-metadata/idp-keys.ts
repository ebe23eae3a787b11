import { createHash, KeyObject } from 'node:crypto';
import { samlKeyRepo, seedTime } from '@orchestrate/db';
import { DAY } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { deriveKey } from '#platform/adapters/drawn-keys.ts';
import { singleFlight } from '#platform/cache.ts';
import { portalTime } from '#platform/times.ts';
import { worldSeed } from '#platform/world-seed.ts';

/** RS256, because every service provider supports it. */
const ALGORITHM = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength: 2_048,
};
const LIFETIME_MS = 3_652 * DAY;

type Keys = [samlKeyRepo.SamlKeyRow, ...samlKeyRepo.SamlKeyRow[]];

/**
 * Returns an organisation's SAML signing keys, newest first. The newest key signs. Creates the first key on first
 * use.
 */
export function idpKeys(deps: Deps, orgCode: string): Promise<Keys> {
  const [first, ...others] = samlKeyRepo.listSamlKeys(deps.db, orgCode);
  if (first) return Promise.resolve([first, ...others]);
  return makeFirst(deps, orgCode);
}

const drawnFrom = (seed: string, orgCode: string): string => `${seed}\nsaml ${orgCode}`;

/** Derives a reproducible ID from a seed string, e.g. a key's ID from the key's seed. */
const drawnId = (name: string, from: string): string =>
  createHash('sha256').update(`${name} ${from}`).digest().toString('base64url', 0, 16);

/** Returns the ID of an organisation's first key in a world with this seed. */
export const seededIdpKeyId = (seed: string, orgCode: string): string => drawnId('key', drawnFrom(seed, orgCode));

const makeFirst = singleFlight(
  (deps, orgCode) => {
    const seed = worldSeed(deps);
    return createIdpKey(deps, orgCode, seed === undefined ? undefined : drawnFrom(seed, orgCode));
  },
  (_deps, tx, orgCode, key): Keys => {
    const [first, ...others] = samlKeyRepo.listSamlKeys(tx, orgCode);
    if (first) return [first, ...others];
    samlKeyRepo.insertSamlKey(tx, key);
    return [key];
  },
);

/**
 * Creates an RSA key with a self-signed certificate that is valid for ten years. Doesn't store the key.
 * @param from seed for a reproducible key; the key is random if it is omitted
 */
export async function createIdpKey(
  { clock, random }: Pick<Deps, 'clock' | 'random'>,
  orgCode: string,
  from?: string,
): Promise<samlKeyRepo.SamlKeyRow> {
  // Loaded with the first key, because it takes 24 MB that only organisations with SAML applications need (decision
  // 018).
  await import('reflect-metadata');
  const { X509CertificateGenerator } = await import('@peculiar/x509');
  const keys = from === undefined ? await randomPair() : await drawnPair(from);
  const idOf = (name: string) => (from === undefined ? random.id() : drawnId(name, from));
  // A reproducible key needs a reproducible creation time, too.
  const createdAt = from === undefined ? clock.now() : portalTime(seedTime(clock.now()));
  const expiresAt = createdAt + LIFETIME_MS;
  const certificate = await X509CertificateGenerator.createSelfSigned({
    // Positive and unique, as RFC 5280 §4.1.2.2 requires.
    serialNumber: `01${Buffer.from(idOf('serial number'), 'base64url').toString('hex')}`,
    name: [{ CN: [`${orgCode} identity provider`] }],
    // If the portal's clock runs ahead, the certificate must still be valid for programs that use the machine's time.
    notBefore: new Date(clock.toExternalTime(createdAt) < createdAt ? createdAt - LIFETIME_MS : createdAt),
    notAfter: new Date(expiresAt),
    keys,
    signingAlgorithm: ALGORITHM,
  });
  return {
    kid: idOf('key'),
    orgCode,
    // Trimmed like other strings in a world, to stay identical after an import.
    privateKey: String(KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' })).trim(),
    certificate: certificate.toString('pem'),
    createdAt,
    expiresAt,
  };
}

const randomPair = () => crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);

async function drawnPair(name: string) {
  const { d, p, q, dp, dq, qi, ...publicJwk } = await deriveKey('RS256', name);
  const privateJwk = { ...publicJwk, d, p, q, dp, dq, qi };
  const read = (jwk: Record<string, string | undefined>, use: 'sign' | 'verify') =>
    crypto.subtle.importKey('jwk', jwk, ALGORITHM, true, [use]);
  return { privateKey: await read(privateJwk, 'sign'), publicKey: await read(publicJwk, 'verify') };
}
