import { checkPrime, createECDH, createHash } from 'node:crypto';
import { promisify } from 'node:util';

const isPrime = promisify(checkPrime);

/**
 * Algorithms for keys derived from a name. Anyone who knows the name can compute the private key, so if other
 * machines can reach the portal, names must contain a secret (`worldSeed`).
 */
export type DerivedKeyAlgorithm = 'RS256' | 'ES256';

/** Derives a private JWK (RFC 7518 §6) from a name. */
export function deriveKey(
  alg: DerivedKeyAlgorithm,
  name: string,
): Promise<Record<string, string>> | Record<string, string> {
  return alg === 'ES256' ? ecKey(name) : rsaKey(name);
}

/** Returns a deterministic byte generator that hashes the name with a counter. */
function createBytes(name: string): (length: number) => Buffer {
  let block = 0;
  return (length) => {
    const blocks: Buffer[] = [];
    for (let drawn = 0; drawn < length; drawn += 32) {
      blocks.push(createHash('sha256').update(`orchestrate drawn key ${name} ${block++}`).digest());
    }
    return Buffer.concat(blocks).subarray(0, length);
  };
}

function ecKey(name: string): Record<string, string> {
  const curve = createECDH('prime256v1');
  const scalar = createBytes(name)(32);
  curve.setPrivateKey(scalar);
  // Uncompressed point format: 0x04, x, y.
  const point = curve.getPublicKey();
  return {
    kty: 'EC',
    crv: 'P-256',
    x: point.toString('base64url', 1, 33),
    y: point.toString('base64url', 33, 65),
    d: scalar.toString('base64url'),
  };
}

const EXPONENT = 65_537n;
/** Bytes per prime: half of the 2048-bit modulus. */
const PRIME_BYTES = 128;

/** Derives an RSA key (RFC 8017 §3.2) from a name. */
async function rsaKey(name: string): Promise<Record<string, string>> {
  const bytes = createBytes(name);
  const [one, other] = [await drawPrime(bytes), await drawPrime(bytes)];
  const [p, q] = one > other ? [one, other] : [other, one];
  const d = inverse(EXPONENT, (p - 1n) * (q - 1n));
  const parts = { n: p * q, e: EXPONENT, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p) };
  return { kty: 'RSA', ...Object.fromEntries(Object.entries(parts).map(([part, value]) => [part, base64url(value)])) };
}

async function drawPrime(bytes: (length: number) => Buffer): Promise<bigint> {
  for (;;) {
    const drawn = bytes(PRIME_BYTES);
    // Setting the two highest bits makes the product 2048 bits long. Setting the lowest bit makes the number odd.
    drawn.writeUInt8(drawn.readUInt8(0) | 0xc0, 0);
    drawn.writeUInt8(drawn.readUInt8(PRIME_BYTES - 1) | 1, PRIME_BYTES - 1);
    const candidate = BigInt(`0x${drawn.toString('hex')}`);
    if ((candidate - 1n) % EXPONENT !== 0n && (await isPrime(candidate))) return candidate;
  }
}

/** Returns the modular inverse, using the extended Euclidean algorithm. The arguments must be coprime. */
function inverse(value: bigint, modulus: bigint): bigint {
  let [remainder, next] = [modulus, value % modulus];
  let [factor, following] = [0n, 1n];
  while (next !== 0n) {
    const times = remainder / next;
    [remainder, next] = [next, remainder - times * next];
    [factor, following] = [following, factor - times * following];
  }
  return ((factor % modulus) + modulus) % modulus;
}

function base64url(value: bigint): string {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('base64url');
}
