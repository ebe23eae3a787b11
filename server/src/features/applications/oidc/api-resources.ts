import { apiResourceRepo, type Tx } from '@orchestrate/db';
import { API_RESOURCES_MAX, type ApiResource, type ApiResourceForm } from '@orchestrate/shared';
import { factsOf } from '#core/audit/facts-of.ts';
import { record } from '#core/audit/record.ts';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import { type Version, versionOf } from '#platform/http/versions.ts';
import { Refusal } from '#platform/refusal.ts';
import { isoOf } from '#platform/times.ts';

type Row = apiResourceRepo.ApiResourceRow;

const editableOf = ({ name, scopes }: Row) => ({ name, scopes });
const objectOf = ({ id, name }: Row) => ({ type: 'api-resource', id, name }) as const;

/** Returns an API resource in the form that administrators edit. */
export function apiResourceOf(row: Row): ApiResource {
  const { id: resourceId, identifier, name, scopes, createdAt } = row;
  return { resourceId, identifier, name, scopes, createdAt: isoOf(createdAt), version: versionOf(editableOf(row)) };
}

/** Returns the API with this ID. @throws Refusal ID_DOESNOT_EXIST, also for another organisation's API */
function requireApiResource(tx: Tx, orgCode: string, id: string): Row {
  const found = apiResourceRepo.findApiResource(tx, orgCode, id);
  if (!found) throw new Refusal('ID_DOESNOT_EXIST', { message: "This API doesn't exist." });
  return found;
}

/**
 * Creates an API. @throws Refusal INVALID_REQUEST if the identifier is taken or the maximum number of APIs is reached
 */
export function createApiResource(
  deps: Deps,
  actor: AuditActor,
  { identifier, ...form }: ApiResourceForm & { identifier: string },
): Row {
  const { orgCode } = actor;
  return deps.db.transaction((tx) => {
    if (apiResourceRepo.listApiResources(tx, orgCode).length >= API_RESOURCES_MAX) {
      throw new Refusal('INVALID_REQUEST', { message: `You can have at most ${API_RESOURCES_MAX} APIs.` });
    }
    const created = { id: deps.random.id(), orgCode, identifier, ...form, createdAt: deps.clock.now() };
    if (!apiResourceRepo.insertApiResource(tx, created)) {
      throw new Refusal('INVALID_REQUEST', {
        issues: [{ path: 'identifier', message: 'Another API already has this identifier' }],
      });
    }
    const after = factsOf({ identifier, ...editableOf(created) });
    record(deps, tx, actor, { action: 'api-resource.created', object: objectOf(created), after });
    return created;
  });
}

/** Updates an API. @throws StaleVersion; Refusal ID_DOESNOT_EXIST */
export function updateApiResource(
  deps: Deps,
  actor: AuditActor,
  id: string,
  form: ApiResourceForm,
  version: Version,
): Row {
  const { orgCode } = actor;
  return deps.db.transaction((tx) => {
    const before = requireApiResource(tx, orgCode, id);
    version.require(tx, { orgCode, id, editable: editableOf(before) });
    apiResourceRepo.changeApiResource(tx, orgCode, id, form);
    const now = requireApiResource(tx, orgCode, id);
    const facts = { before: factsOf(editableOf(before)), after: factsOf(editableOf(now)) };
    record(deps, tx, actor, { action: 'api-resource.updated', object: objectOf(now), ...facts });
    version.answer(editableOf(now));
    return now;
  });
}

/** Deletes an API. @throws Refusal ID_DOESNOT_EXIST */
export function deleteApiResource(deps: Deps, actor: AuditActor, id: string): void {
  const { orgCode } = actor;
  deps.db.transaction((tx) => {
    const gone = requireApiResource(tx, orgCode, id);
    apiResourceRepo.deleteApiResource(tx, orgCode, id);
    const before = factsOf({ identifier: gone.identifier, ...editableOf(gone) });
    record(deps, tx, actor, { action: 'api-resource.deleted', object: objectOf(gone), before });
  });
}
