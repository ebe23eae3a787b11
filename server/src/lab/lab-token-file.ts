import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AUTO_LAB_TOKEN, type Config, ConfigInvalid, LAB_TOKEN_MIN_LENGTH } from '../config.ts';
import { isLabClosed } from '../platform/http/callers/local-portal.ts';

/**
 * A portal in production that is reached from elsewhere says what becomes of its lab: a token, or no lab. In
 * development the lab is merely closed there (decision 014).
 * @throws ConfigInvalid
 */
export function requireLabDecision(config: Config): void {
  if (!config.isDeclaredProduction || !config.lab || !isLabClosed(config)) return;
  throw new ConfigInvalid(
    'NODE_ENV=production does not start the lab without a token on a portal that is reached from elsewhere (HOST, PUBLIC_URL, BACKCHANNEL_URL). Set LAB_TOKEN, where auto makes one, or LAB=off.',
  );
}

/**
 * `LAB_TOKEN=auto`: reads the token from the file `lab-token` beside the database, which is made at the first start,
 * readable by this account alone, and kept. A database in memory has no such file, so every start makes a new token.
 * Any other token is left as it is. Call it while this process holds the database, so that no other start makes the
 * file too.
 * @throws ConfigInvalid where the file cannot be read or written, or holds less than 8 characters
 */
export function withLabToken(config: Config): Config {
  if (!config.lab || config.labToken !== AUTO_LAB_TOKEN) return config;
  if (config.databaseFile === ':memory:') return { ...config, labToken: madeToken() };
  return { ...config, labToken: keptToken(join(dirname(config.databaseFile), 'lab-token')) };
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
    `The lab token in ${path} is too short. Delete the file, and the next start makes another one.`,
  );
}
