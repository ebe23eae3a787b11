import { scimLogRepo, scimSchemaRepo, scimTokenRepo } from '@orchestrate/db';
import * as contract from '@orchestrate/shared';
import { DAY, LIMITS, type ReplyOf, type ScimToken, type TokenForm } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { factsOf } from '#core/audit/facts-of.ts';
import { record } from '#core/audit/record.ts';
import type { Deps } from '#deps.ts';
import { hashSecret } from '#platform/adapters/secrets.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import type { Caller } from '#platform/http/callers/caller.ts';
import { implement } from '#platform/http/implement.ts';
import { readPageKey } from '#platform/http/requests/page-key.ts';
import { Refusal } from '#platform/refusal.ts';
import { isoOf } from '#platform/times.ts';
import { authorityOf, editableCredentialFields, renewScimCredentials, scimCredentialsOf } from './scim-credentials.ts';
import { createScimSchema, deleteScimSchema, scimSchemaOf, updateScimSchema } from './scim-schemas.ts';

type Row = scimTokenRepo.ScimTokenRow;

const objectOf = ({ id, name }: Row) => ({ type: 'scim-token', id, name }) as const;

/** Returns an organisation's provisioning tokens, newest first. */
const scimTokensOf = (deps: Deps, orgCode: string): ScimToken[] =>
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
 * Creates a token that can grant at most the acting member's permissions. Existing tokens stay valid while the
 * directory switches to the new one.
 * @returns the stored token's metadata and the secret, which isn't stored
 * @throws Refusal INVALID_REQUEST if the organisation has too many tokens
 */
function createScimToken(
  deps: Deps,
  { caller, actor }: { caller: Caller; actor: AuditActor },
  { name, lifetimeDays }: TokenForm,
): { token: ScimToken; secret: string } {
  const { db, clock, random } = deps;
  const { orgCode, suid, permissions } = caller;
  const secret = random.secret();
  const now = clock.now();
  const created = {
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
        issues: [{ path: 'name', message: `You can have at most ${LIMITS.scimTokens} tokens. Revoke one first.` }],
      });
    }
    scimTokenRepo.insertScimToken(tx, created);
    const after = factsOf({ name, expiresAt: isoOf(created.expiresAt), ceiling: created.ceiling });
    record(deps, tx, actor, { action: 'scim-token.created', object: objectOf(created), after });
  });
  return { token: scimTokenOf(deps, created), secret };
}

/**
 * Revokes a provisioning token.
 * @throws Refusal ID_DOESNOT_EXIST
 */
function revokeScimToken(deps: Deps, actor: AuditActor, tokenId: string): void {
  deps.db.transaction((tx) => {
    const gone = scimTokenRepo.deleteScimToken(tx, actor.orgCode, tokenId);
    if (!gone) throw new Refusal('ID_DOESNOT_EXIST', { message: "This token doesn't exist." });
    const before = factsOf({ name: gone.name });
    record(deps, tx, actor, { action: 'scim-token.revoked', object: objectOf(gone), before });
  });
}

const pageKey = z.object({ id: z.string().regex(/^\d{1,15}$/) });

/**
 * Returns a page of an organisation's SCIM log.
 * @throws Refusal as `readPageKey`
 */
function scimLogOf(
  { db }: Deps,
  orgCode: string,
  { count, lastItem }: { count: number; lastItem?: string | undefined },
): Omit<ReplyOf<typeof contract.getScimLog>, 'resultCode'> {
  const before = lastItem === undefined ? undefined : Number(readPageKey(pageKey, lastItem).id);
  const found = scimLogRepo.listScimLog(db, orgCode, { before, count: count + 1 });
  const page = found.slice(0, count);
  const last = found.length > count ? page.at(-1) : undefined;
  return {
    records: page.map(({ number, at, operation, userName, status, body, detail }) => ({
      id: String(number),
      at: isoOf(at),
      operation,
      userName,
      status,
      body,
      detail,
    })),
    LastEvaluatedKey: last ? { id: String(last.number) } : null,
  };
}

/** Serves the SCIM credentials, schemas and log. */
export function provisioning(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, contract.getScimCredentials, ({ caller, version }) => {
    version.answer(editableCredentialFields(deps.db, caller.orgCode));
    return scimCredentialsOf(deps, caller);
  });
  implement(app, deps, contract.renewScimCredentials, ({ caller, actor, version }) =>
    renewScimCredentials(deps, { caller, actor }, version),
  );

  implement(app, deps, contract.listScimTokens, ({ caller }) => ({ tokens: scimTokensOf(deps, caller.orgCode) }));
  implement(app, deps, contract.createScimToken, ({ caller, actor, body }) =>
    createScimToken(deps, { caller, actor }, body),
  );
  implement(app, deps, contract.revokeScimToken, ({ actor, params: { tokenId } }) => {
    revokeScimToken(deps, actor, tokenId);
    return {};
  });

  implement(app, deps, contract.listScimSchemas, ({ caller }) => ({
    schemas: scimSchemaRepo.listScimSchemas(deps.db, caller.orgCode).map(scimSchemaOf),
  }));
  implement(app, deps, contract.createScimSchema, async ({ actor, body }) => ({
    schema: scimSchemaOf(await createScimSchema(deps, actor, body)),
  }));
  implement(app, deps, contract.updateScimSchema, async ({ actor, params: { schemaId }, body, version }) => {
    const { deleteValues, ...form } = body;
    return { schema: scimSchemaOf(await updateScimSchema(deps, actor, schemaId, { form, deleteValues, version })) };
  });
  implement(app, deps, contract.deleteScimSchema, async ({ actor, params: { schemaId }, body }) => {
    await deleteScimSchema(deps, actor, schemaId, body.deleteValues);
    return {};
  });

  implement(app, deps, contract.getScimLog, ({ caller, query }) => scimLogOf(deps, caller.orgCode, query));
}
