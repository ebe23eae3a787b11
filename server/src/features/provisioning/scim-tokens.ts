import { scimTokenRepo } from '@orchestrate/db';
import { DAY, LIMITS, type ScimToken, type TokenForm } from '@orchestrate/shared';
import { factsOf } from '../../core/audit/facts-of.ts';
import { record } from '../../core/audit/record.ts';
import type { Deps } from '../../deps.ts';
import { hashSecret } from '../../platform/adapters/hash-secret.ts';
import type { AuditActor } from '../../platform/http/callers/actors.ts';
import type { Caller } from '../../platform/http/callers/caller.ts';
import { isoOf } from '../../platform/iso-of.ts';
import { Refusal } from '../../platform/refusal.ts';
import { authorityOf } from './scim-credentials.ts';

type Row = scimTokenRepo.ScimTokenRow;

const objectOf = ({ id, name }: Row) => ({ type: 'scim-token', id, name }) as const;

/** The tokens of an organisation's directories, the newest first. */
export const scimTokensOf = (deps: Deps, orgCode: string): ScimToken[] =>
  scimTokenRepo.listScimTokens(deps.db, orgCode).map((row) => scimTokenOf(deps, row));

function scimTokenOf({ db }: Deps, row: Row): ScimToken {
  const { id: tokenId, name } = row;
  const times = {
    createdAt: isoOf(row.createdAt),
    lastUsedAt: isoOf(row.lastUsedAt),
    expiresAt: isoOf(row.expiresAt),
  };
  return { tokenId, name, ...times, ...authorityOf(db, row) };
}

/**
 * Makes a token, which may grant what the caller may. The others stay, so that a directory can change over to the new
 * one.
 * @returns the token too, which is not kept
 * @throws Refusal INVALID_REQUEST where there are too many
 */
export function createScimToken(
  deps: Deps,
  { caller, actor }: { caller: Caller; actor: AuditActor },
  { name, lifetimeDays }: TokenForm,
): { token: ScimToken; secret: string } {
  const { db, clock, random } = deps;
  const { orgCode, suid, permissions } = caller;
  const secret = random.secret();
  const now = clock.now();
  const made = {
    id: random.id(),
    orgCode,
    name,
    hash: hashSecret(secret),
    createdAt: now,
    madeBySuid: suid,
    ceiling: [...permissions],
    lastUsedAt: null,
    expiresAt: now + lifetimeDays * DAY,
  };
  db.transaction((tx) => {
    if (scimTokenRepo.listScimTokens(tx, orgCode).length >= LIMITS.scimTokens) {
      throw new Refusal('INVALID_REQUEST', {
        issues: [{ path: 'name', message: `At most ${LIMITS.scimTokens} tokens: revoke one first` }],
      });
    }
    scimTokenRepo.insertScimToken(tx, made);
    const after = factsOf({ name, expiresAt: isoOf(made.expiresAt), ceiling: made.ceiling });
    record(deps, tx, actor, { action: 'scim-token.created', object: objectOf(made), after });
  });
  return { token: scimTokenOf(deps, made), secret };
}

/** @throws Refusal ID_DOESNOT_EXIST */
export function revokeScimToken(deps: Deps, actor: AuditActor, tokenId: string): void {
  deps.db.transaction((tx) => {
    const gone = scimTokenRepo.deleteScimToken(tx, actor.orgCode, tokenId);
    if (!gone) throw new Refusal('ID_DOESNOT_EXIST', { message: 'There is no such token.' });
    const before = factsOf({ name: gone.name });
    record(deps, tx, actor, { action: 'scim-token.revoked', object: objectOf(gone), before });
  });
}
