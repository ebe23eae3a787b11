import { setImmediate } from 'node:timers/promises';
import { memberFilterRepo, organisationRepo, scimSchemaRepo, type Tx } from '@orchestrate/db';
import { LIMITS, type ScimSchema, type ScimSchemaForm } from '@orchestrate/shared';
import { factsOf } from '#core/audit/facts-of.ts';
import { record } from '#core/audit/record.ts';
import type { Deps } from '#deps.ts';
import { lazily } from '#platform/cache.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import { type Version, versionOf } from '#platform/http/versions.ts';
import { Refusal } from '#platform/refusal.ts';
import { isoOf } from '#platform/times.ts';

type Row = scimSchemaRepo.ScimSchemaRow;

const editableOf = ({ name, description, attributes }: Row) => ({ name, description, attributes });
const objectOf = ({ id, name }: Row) => ({ type: 'scim-schema', id, name }) as const;

/** Formats a schema for the audit trail: one line per attribute. */
const factsOfSchema = ({ urn, name, description, attributes }: Row) =>
  factsOf({ urn, name, description, attributes: attributes.map((one) => JSON.stringify(one)) });

export function scimSchemaOf(row: Row): ScimSchema {
  const { id: schemaId, urn, createdAt } = row;
  return { schemaId, urn, ...editableOf(row), createdAt: isoOf(createdAt), version: versionOf(editableOf(row)) };
}

/**
 * Returns the organisation's schema with this ID.
 * @throws Refusal ID_DOESNOT_EXIST, also if the schema belongs to another organisation
 */
function requireSchema(tx: Tx, orgCode: string, id: string): Row {
  const found = scimSchemaRepo.findScimSchema(tx, orgCode, id);
  if (!found) throw new Refusal('ID_DOESNOT_EXIST', { message: "This schema doesn't exist." });
  return found;
}

/**
 * Creates a schema.
 * @throws Refusal INVALID_REQUEST if the URN is taken, extends another schema's URN or is extended by one, or if
 * there are too many schemas
 */
export async function createScimSchema(
  deps: Deps,
  actor: AuditActor,
  form: ScimSchemaForm & { urn: string },
): Promise<Row> {
  const { orgCode } = actor;
  const created = { id: deps.random.id(), orgCode, ...form, createdAt: deps.clock.now() };
  requireCreatable(deps.db, created);
  // An interrupted deletion can leave values behind. Remove them before the new schema picks them up.
  await sweep(deps, orgCode, scimSchemaRepo.listScimSchemas(deps.db, orgCode));
  return deps.db.transaction((tx) => {
    requireCreatable(tx, created);
    scimSchemaRepo.insertScimSchema(tx, created);
    record(deps, tx, actor, {
      action: 'scim-schema.created',
      object: objectOf(created),
      after: factsOfSchema(created),
    });
    return created;
  });
}

function requireCreatable(tx: Tx, { orgCode, urn }: Row): void {
  const known = scimSchemaRepo.listScimSchemas(tx, orgCode);
  if (known.length >= LIMITS.scimSchemas) {
    throw new Refusal('INVALID_REQUEST', { message: `You can have at most ${LIMITS.scimSchemas} schemas.` });
  }
  const key = `${urn.toLowerCase()}:`;
  for (const other of known) {
    const otherKey = `${other.urn.toLowerCase()}:`;
    if (key === otherKey) throw taken('Another schema already has this URN');
    // If one URN extended another, attribute paths would be ambiguous.
    if (key.startsWith(otherKey)) throw taken(`This URN extends the URN of ${other.name}: ${other.urn}`);
    if (otherKey.startsWith(key)) throw taken(`The URN of ${other.name} extends this one: ${other.urn}`);
  }
}

const taken = (message: string) => new Refusal('INVALID_REQUEST', { issues: [{ path: 'urn', message }] });

/**
 * Changes a schema. Values that no longer fit are deleted after confirmation.
 * @throws StaleVersion; Refusal ID_DOESNOT_EXIST; INVALID_REQUEST if members have values that no longer fit and
 * deleting them wasn't confirmed, or if an attribute's spelling changes
 */
export async function updateScimSchema(
  deps: Deps,
  actor: AuditActor,
  id: string,
  { form, deleteValues, version }: { form: ScimSchemaForm; deleteValues: boolean; version: Version },
): Promise<Row> {
  const { db } = deps;
  const { orgCode } = actor;
  const present = requireSchema(db, orgCode, id);
  version.require(db, { orgCode, id, editable: editableOf(present) });
  requireSpellings(present, form);
  const next = scimSchemaRepo
    .listScimSchemas(db, orgCode)
    .map((schema) => (schema.id === id ? { ...schema, ...form } : schema));
  const losing = await sweep(deps, orgCode, scimSchemaRepo.listScimSchemas(db, orgCode), next);
  requireConfirmation(losing, deleteValues);
  const changed = db.transaction((tx) => {
    const before = requireSchema(tx, orgCode, id);
    version.require(tx, { orgCode, id, editable: editableOf(before) });
    scimSchemaRepo.changeScimSchema(tx, orgCode, id, form);
    const now = requireSchema(tx, orgCode, id);
    const facts = { before: factsOfSchema(before), after: { ...factsOfSchema(now), ...lossOf(losing) } };
    record(deps, tx, actor, { action: 'scim-schema.updated', object: objectOf(now), ...facts });
    version.answer(editableOf(now));
    return now;
  });
  if (losing > 0) await sweep(deps, orgCode, scimSchemaRepo.listScimSchemas(db, orgCode));
  return changed;
}

/** Rejects spelling changes, because values are stored under the attribute name used when they were written. */
function requireSpellings(present: Row, form: ScimSchemaForm): void {
  const spellings = new Map(present.attributes.map(({ name }) => [name.toLowerCase(), name]));
  for (const [at, { name }] of form.attributes.entries()) {
    const spelling = spellings.get(name.toLowerCase());
    if (spelling === undefined || spelling === name) continue;
    const message = `This attribute is spelt ${spelling}. The spelling can't change.`;
    throw new Refusal('INVALID_REQUEST', { issues: [{ path: `attributes.${at}.name`, message }] });
  }
}

/**
 * Deletes a schema together with the members' values for it.
 * @throws Refusal ID_DOESNOT_EXIST; INVALID_REQUEST if members have values for the schema and deleting them wasn't
 * confirmed
 */
export async function deleteScimSchema(
  deps: Deps,
  actor: AuditActor,
  id: string,
  deleteValues: boolean,
): Promise<void> {
  const { db } = deps;
  const { orgCode } = actor;
  requireSchema(db, orgCode, id);
  const known = scimSchemaRepo.listScimSchemas(db, orgCode);
  const losing = await sweep(
    deps,
    orgCode,
    known,
    known.filter((schema) => schema.id !== id),
  );
  requireConfirmation(losing, deleteValues);
  db.transaction((tx) => {
    const gone = requireSchema(tx, orgCode, id);
    scimSchemaRepo.deleteScimSchema(tx, orgCode, id);
    const facts = { before: factsOfSchema(gone), after: lossOf(losing) };
    record(deps, tx, actor, { action: 'scim-schema.deleted', object: objectOf(gone), ...facts });
  });
  if (losing > 0) await sweep(deps, orgCode, scimSchemaRepo.listScimSchemas(db, orgCode));
}

const lossOf = (people: number) => (people > 0 ? { peopleWhoLostValues: people } : {});

function requireConfirmation(people: number, isConfirmed: boolean): void {
  if (people === 0 || isConfirmed) return;
  const who = people === 1 ? 'One member has values' : `${people.toLocaleString('en')} members have values`;
  const message = `${who} that this would delete. Confirm with deleteValues.`;
  throw new Refusal('INVALID_REQUEST', { issues: [{ path: 'deleteValues', message }] });
}

/** Member IDs per transaction. The batches are small, to block other requests for only a few milliseconds. */
const BATCH_SIZE = 2_000;

const fitting = lazily(() => import('#protocols/scim/resources/stored-extensions.ts'));

/**
 * Deletes members' values that don't fit the schemas, in batches that let other requests run.
 * @param next schemas that would replace the current ones
 * @returns how many members, not counting deleted ones, would lose values under `next`
 */
async function sweep(
  deps: Deps,
  orgCode: string,
  schemas: readonly Row[],
  next: readonly Row[] = schemas,
): Promise<number> {
  const { db } = deps;
  const { withoutInvalidExtensions } = await fitting();
  const organisation = organisationRepo.findOrganisation(db, orgCode);
  if (!organisation) return 0;
  const { after: begin, upTo: end } = memberFilterRepo.memberIdSlice(db, organisation);
  let losing = 0;
  for (let after = begin; after < end; after += BATCH_SIZE) {
    if (after > begin) await setImmediate();
    db.transaction((tx) => {
      for (const { id, accountStatus, scimAttributes } of scimSchemaRepo.listExtendedMembers(tx, {
        after,
        upTo: Math.min(after + BATCH_SIZE, end),
      })) {
        const remaining = withoutInvalidExtensions(scimAttributes, schemas);
        if (remaining !== scimAttributes) scimSchemaRepo.setScimAttributes(tx, id, remaining);
        if (next !== schemas && accountStatus !== 'deleted' && withoutInvalidExtensions(remaining, next) !== remaining)
          losing += 1;
      }
    });
  }
  return losing;
}
