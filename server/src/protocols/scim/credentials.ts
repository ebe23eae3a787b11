import { scimCredentialsRepo, scimTokenRepo } from '@orchestrate/db';
import { MINUTE } from '@orchestrate/shared';
import type { CeiledCredentials } from '../../core/members/directory-ceiling.ts';
import type { Deps } from '../../deps.ts';
import { hashSecret } from '../../platform/adapters/hash-secret.ts';
import { isSameSecret } from '../../platform/adapters/is-same-secret.ts';

const TOUCHED_EVERY = MINUTE;

/**
 * Whose credentials of an organisation a request carries: its user name and password (RFC 7617), or one of its tokens
 * that has not expired (RFC 6750 §2.1), whose use is recorded. Undefined for neither.
 */
export function findDirectory(
  deps: Deps,
  orgCode: string,
  authorization: string | undefined,
): CeiledCredentials | undefined {
  const [, scheme, given] = /^(basic|bearer) +([\w.~+/=-]+)$/i.exec(authorization?.trim() ?? '') ?? [];
  if (scheme === undefined || given === undefined) return undefined;
  return scheme.toLowerCase() === 'basic' ? findByPair(deps, orgCode, given) : findByToken(deps, orgCode, given);
}

function findByPair({ db }: Deps, orgCode: string, encoded: string): CeiledCredentials | undefined {
  const pair = scimCredentialsRepo.findScimCredentials(db, orgCode);
  if (!pair) return undefined;
  const given = Buffer.from(encoded, 'base64').toString();
  const colon = given.indexOf(':');
  const isUser = isSameSecret(given.slice(0, Math.max(colon, 0)), pair.username);
  const isPassword = isSameSecret(given.slice(colon + 1), pair.password);
  return isUser && isPassword ? pair : undefined;
}

function findByToken({ db, clock }: Deps, orgCode: string, token: string): CeiledCredentials | undefined {
  const found = scimTokenRepo.findScimTokenByHash(db, orgCode, hashSecret(token));
  const now = clock.now();
  if (found?.expiresAt != null && found.expiresAt <= now) return undefined;
  if (found && now - (found.lastUsedAt ?? 0) >= TOUCHED_EVERY) {
    scimTokenRepo.touchScimToken(db, orgCode, found.id, now);
  }
  return found;
}
