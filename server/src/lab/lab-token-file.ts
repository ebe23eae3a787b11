import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AUTO_LAB_TOKEN, type Config, ConfigInvalid, LAB_TOKEN_MIN_LENGTH } from '#config.ts';
import { isWeakSecret } from '#core/weak-secret.ts';
import { isLabClosed, isLocalPortal } from '#platform/http/callers/local-portal.ts';

/**
 * Requires an unguessable lab token, or LAB=off, for a publicly reachable production portal. In development, the lab
 * of a reachable portal is merely closed (decision 014).
 * @throws ConfigInvalid
 */
export function requireLabDecision(config: Config): void {
  requireStrongToken(config, 'LAB_TOKEN', 'Set LAB_TOKEN=auto to generate one.');
  if (!config.isDeclaredProduction || !config.lab || !isLabClosed(config)) return;
  throw new ConfigInvalid(
    'NODE_ENV=production requires a lab token on a publicly reachable portal (HOST, PUBLIC_URL, BACKCHANNEL_URL, TRUSTED_PROXIES). Set LAB_TOKEN (auto generates one) or LAB=off.',
  );
}

/** Minimum number of characters. Shorter tokens are usually words that someone chose. */
const STRONG_LENGTH = 20;
/** Minimum number of distinct characters, and of distinct differences between consecutive characters. */
const STRONG_VARIETY = 8;

/**
 * Requires a strong token if the lab is publicly reachable, because nothing limits guesses. A local portal accepts
 * any token of at least 8 characters.
 * @param source setting or file that contains the token
 * @param advice sentence that explains how to get a better token
 * @throws ConfigInvalid
 */
function requireStrongToken(config: Config, source: string, advice: string): void {
  const { lab, labToken } = config;
  if (!lab || labToken === null || labToken === AUTO_LAB_TOKEN || isLocalPortal(config) || isStrong(labToken)) return;
  throw new ConfigInvalid(
    `${source} is guessable, and this portal is publicly reachable (HOST, PUBLIC_URL, BACKCHANNEL_URL, TRUSTED_PROXIES). It needs at least ${STRONG_LENGTH} random characters. ${advice}`,
  );
}

/**
 * Returns false for a token that is short, repetitive (`abcabcabc…`), sequential (`0123456789…`) or made of common
 * words.
 */
function isStrong(token: string): boolean {
  const characters = Array.from(token, (character) => character.codePointAt(0) ?? 0);
  const steps = characters.slice(1).map((code, at) => code - (characters[at] ?? 0));
  const varies = [characters, steps].every((all) => new Set(all).size >= STRONG_VARIETY);
  return characters.length >= STRONG_LENGTH && varies && !isWeakSecret(token);
}

/**
 * Resolves `LAB_TOKEN=auto` to the token in the file `lab-token` next to the database. The file is generated on the
 * first start and readable only by this account. With an in-memory database, every start generates a new token. Any
 * other token is left unchanged. Call it while this process holds the database lock, so that no other process creates
 * the file at the same time.
 * @throws ConfigInvalid if the file can't be read or written, or its token is too short or guessable
 */
export function resolveLabToken(config: Config): Config {
  if (!config.lab || config.labToken !== AUTO_LAB_TOKEN) return config;
  if (config.databaseFile === ':memory:') return { ...config, labToken: madeToken() };
  const path = join(dirname(config.databaseFile), 'lab-token');
  const read = { ...config, labToken: readToken(path) };
  requireStrongToken(read, `The lab token in ${path}`, 'Delete the file to generate a new token on the next start.');
  return read;
}

const madeToken = () => randomBytes(24).toString('base64url');

function readToken(path: string): string {
  let token: string;
  try {
    if (!existsSync(path)) writeFileSync(path, `${madeToken()}\n`, { flag: 'wx', mode: 0o600 });
    token = readFileSync(path, 'utf8').trim();
  } catch (reason) {
    throw new ConfigInvalid(
      `The lab token file can't be read or written: ${reason instanceof Error ? reason.message : path}`,
    );
  }
  if (token.length >= LAB_TOKEN_MIN_LENGTH) return token;
  throw new ConfigInvalid(
    `The lab token in ${path} is too short. Delete the file to generate a new token on the next start.`,
  );
}
