import { memberRepo, registrationTokenRepo } from '@orchestrate/db';
import { DAY, fullNameOf, LIMITS, type RegistrationToken, type TokenForm } from '@orchestrate/shared';
import { factsOf } from '#core/audit/facts-of.ts';
import { record } from '#core/audit/record.ts';
import { ceilingOf } from '#core/members/maximum-grantable-role.ts';
import type { Deps } from '#deps.ts';
import { hashSecret } from '#platform/adapters/secrets.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import { Refusal } from '#platform/refusal.ts';
import { isoOf } from '#platform/times.ts';

type Row = registrationTokenRepo.RegistrationTokenRow;

/** Permissions the token's creator must still have for the token to work. */
const REQUIRED_PERMISSIONS = ['SESSION_MANAGEMENT'] as const;

const objectOf = ({ id, name }: Row) => ({ type: 'registration-token', id, name }) as const;

/** Returns an organisation's registration tokens, newest first. */
export const registrationTokensOf = (deps: Deps, orgCode: string): RegistrationToken[] =>
  registrationTokenRepo.listRegistrationTokens(deps.db, orgCode).map((row) => registrationTokenOf(deps, row));

function registrationTokenOf(deps: Deps, row: Row): RegistrationToken {
  const { id: tokenId, orgCode, name, createdAt, expiresAt, lastUsedAt, madeBySuid } = row;
  const maker = madeBySuid === null ? undefined : memberRepo.findMember(deps.db, orgCode, madeBySuid);
  return {
    tokenId,
    name,
    createdAt: isoOf(createdAt),
    expiresAt: isoOf(expiresAt),
    lastUsedAt: isoOf(lastUsedAt),
    madeBy: maker ? fullNameOf(maker) : null,
    isValid: isValid(deps, row),
  };
}

function isValid({ db, clock }: Deps, row: Row): boolean {
  const isOver = row.expiresAt !== null && row.expiresAt <= clock.now();
  return !isOver && ceilingOf(db, { ...row, ceiling: [...REQUIRED_PERMISSIONS] }).permissions.length > 0;
}

/** Returns the token sent by a client if it is valid, and records its use. */
export function useRegistrationToken(deps: Deps, orgCode: string, token: string): Row | undefined {
  const found = registrationTokenRepo.findRegistrationTokenByHash(deps.db, orgCode, hashSecret(token));
  if (!found || !isValid(deps, found)) return undefined;
  registrationTokenRepo.touchRegistrationToken(deps.db, orgCode, found.id, deps.clock.now());
  return found;
}

/**
 * Creates a token that lets applications register themselves for as long as its creator can manage applications.
 * @returns the record with the token itself, which isn't stored
 * @throws Refusal INVALID_REQUEST if the organisation has too many tokens
 */
export function createRegistrationToken(
  deps: Deps,
  actor: AuditActor,
  { name, lifetimeDays }: TokenForm,
): { token: RegistrationToken; secret: string } {
  const { db, clock, random } = deps;
  const { orgCode } = actor;
  const secret = random.secret();
  const created = {
    id: random.id(),
    orgCode,
    name,
    hash: hashSecret(secret),
    createdAt: clock.now(),
    expiresAt: clock.now() + lifetimeDays * DAY,
    madeBySuid: actor.suid,
    lastUsedAt: null,
  };
  db.transaction((tx) => {
    if (registrationTokenRepo.listRegistrationTokens(tx, orgCode).length >= LIMITS.registrationTokens) {
      throw new Refusal('INVALID_REQUEST', {
        issues: [
          { path: 'name', message: `You can have at most ${LIMITS.registrationTokens} tokens. Revoke one first.` },
        ],
      });
    }
    registrationTokenRepo.insertRegistrationToken(tx, created);
    const after = factsOf({ name, expiresAt: isoOf(created.expiresAt) });
    record(deps, tx, actor, { action: 'registration-token.created', object: objectOf(created), after });
  });
  return { token: registrationTokenOf(deps, created), secret };
}

/** Revokes a registration token. @throws Refusal ID_DOESNOT_EXIST */
export function revokeRegistrationToken(deps: Deps, actor: AuditActor, tokenId: string): void {
  deps.db.transaction((tx) => {
    const gone = registrationTokenRepo.deleteRegistrationToken(tx, actor.orgCode, tokenId);
    if (!gone) throw new Refusal('ID_DOESNOT_EXIST', { message: "This token doesn't exist." });
    const before = factsOf({ name: gone.name });
    record(deps, tx, actor, { action: 'registration-token.revoked', object: objectOf(gone), before });
  });
}
