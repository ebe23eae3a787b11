import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AUTO_LAB_TOKEN, type Config, ConfigInvalid, LAB_TOKEN_MIN_LENGTH } from '#config.ts';
import { isWeakSecret } from '#core/weak-secret.ts';
import { isLabClosed, isLocalPortal } from '#platform/http/callers/local-portal.ts';

/**
 * Requires a production portal that others can reach to configure its lab: a token, or no lab. In development the lab
 * is merely closed there (decision 014). The token must not be guessable.
 * @throws ConfigInvalid
 */
export function requireLabDecision(config: Config): void {
  requireStrongToken(config, 'LAB_TOKEN', 'Set LAB_TOKEN=auto to generate one.');
  if (!config.isDeclaredProduction || !config.lab || !isLabClosed(config)) return;
  throw new ConfigInvalid(
    'NODE_ENV=production requires a lab token on a portal that others can reach (HOST, PUBLIC_URL, BACKCHANNEL_URL, TRUSTED_PROXIES). Set LAB_TOKEN (auto generates one) or LAB=off.',
  );
}

/** Minimum length; shorter tokens are usually words that someone chose. */
const STRONG_LENGTH = 20;
/** Minimum number of different characters, and of different steps between consecutive ones. */
const STRONG_VARIETY = 8;

/**
 * Requires a strong token if others can reach the lab, because nothing limits their guesses. A local portal accepts any
 * token of 8 characters.
 * @param source the setting or file that has the token
 * @param advice a sentence that says how to get a better one
 * @throws ConfigInvalid
 */
function requireStrongToken(config: Config, source: string, advice: string): void {
  const { lab, labToken } = config;
  if (!lab || labToken === null || labToken === AUTO_LAB_TOKEN || isLocalPortal(config) || isStrong(labToken)) return;
  throw new ConfigInvalid(
    `${source} is guessable, and others can reach this portal (HOST, PUBLIC_URL, BACKCHANNEL_URL, TRUSTED_PROXIES): it needs at least ${STRONG_LENGTH} random characters. ${advice}`,
  );
}

/**
 * Returns false for a token that is short, repeats (`abcabcabc…`), counts (`0123456789…`) or consists of common words.
 */
function isStrong(token: string): boolean {
  const characters = Array.from(token, (character) => character.codePointAt(0) ?? 0);
  const steps = characters.slice(1).map((code, at) => code - (characters[at] ?? 0));
  const varies = [characters, steps].every((all) => new Set(all).size >= STRONG_VARIETY);
  return characters.length >= STRONG_LENGTH && varies && !isWeakSecret(token);
}

/**
 * Resolves `LAB_TOKEN=auto`: reads the token from the file `lab-token` next to the database, which is generated at the
 * first start and readable by this account only. A database in memory has no such file, so every start generates a new
 * token. Any other token is left unchanged. Call it while this process has the database locked, so that no other start
 * creates the file too.
 * @throws ConfigInvalid if the file cannot be read or written, or its token is too short or can be guessed
 */
export function withLabToken(config: Config): Config {
  if (!config.lab || config.labToken !== AUTO_LAB_TOKEN) return config;
  if (config.databaseFile === ':memory:') return { ...config, labToken: madeToken() };
  const path = join(dirname(config.databaseFile), 'lab-token');
  const read = { ...config, labToken: keptToken(path) };
  requireStrongToken(read, `The lab token in ${path}`, 'Delete the file to generate a new one at the next start.');
  return read;
}

const madeToken = () => randomBytes(24).toString('base64url');

function keptToken(path: string): string {
  let token: string;
  try {
    if (!existsSync(path)) writeFileSync(path, `${madeToken()}\n`, { flag: 'wx', mode: 0o600 });
    token = readFileSync(path, 'utf8').trim();
  } catch (reason) {
    throw new ConfigInvalid(`The lab token cannot be saved: ${reason instanceof Error ? reason.message : path}`);
  }
  if (token.length >= LAB_TOKEN_MIN_LENGTH) return token;
  throw new ConfigInvalid(
    `The lab token in ${path} is too short. Delete the file to generate a new one at the next start.`,
  );
}
