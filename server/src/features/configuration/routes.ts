import { isDeepStrictEqual } from 'node:util';
import { type auditRepo, exportConfiguration } from '@orchestrate/db';
import { type ConfigurationDifference, contract, type World } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { eventChangesOf } from '#core/audit/event-changes.ts';
import { record } from '#core/audit/record.ts';
import type { ConfigurationPart, Import, Step } from '#core/configuration/configuration-part.ts';
import type { Deps } from '#deps.ts';
import { Download } from '#platform/http/answers/answer.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import type { Caller } from '#platform/http/callers/caller.ts';
import { implement } from '#platform/http/implement.ts';
import type { ShapeIssue } from '#platform/http/requests/read-shape.ts';
import { type Version, versionOf } from '#platform/http/versions.ts';
import { Refusal } from '#platform/refusal.ts';
import { skippedWebhooks } from './left-out.ts';
import { type ReadConfiguration, readConfiguration, YAML_MAX } from './read-configuration.ts';
import { unchangedItems } from './unchanged-items.ts';

type Change = ConfigurationDifference['changes'][number];
type Facts = Parameters<NonNullable<AuditActor['onEvent']>>[1];

/** Fields with a question's parent IDs. They are never displayed, because each dry run generates new IDs. */
const PARENTS: ReadonlySet<string> = new Set(['categoryId', 'subcategoryId']);

/** Merges several events about one object into one change. */
function noteChange(changes: Map<string, Change>, event: Omit<auditRepo.AuditRow, 'id'>, facts: Facts): void {
  const { action, objectType: type, objectId: id, objectName: name } = event;
  const key = JSON.stringify([type, id]);
  const known = changes.get(key);
  const fields = new Map((known?.changes ?? []).map((change) => [change.field, change]));
  const isNew = known?.action.endsWith('.created');
  for (const change of eventChangesOf(event.changes)) {
    if (PARENTS.has(change.field)) continue;
    const { field, before, after } = whereItDiffers(change, facts);
    const first = isNew ? undefined : (fields.get(field)?.before ?? before);
    if (isDeepStrictEqual(first, after)) fields.delete(field);
    else
      fields.set(field, {
        field,
        ...(first !== undefined && { before: first }),
        ...(after !== undefined && { after }),
      });
  }
  changes.set(key, { action: known?.action ?? action, object: { type, id, name }, changes: [...fields.values()] });
}

/** Returns true if the object is new or any field ends up with a different value. */
const isChange = ({ action, changes }: Change): boolean => action.endsWith('.created') || changes.length > 0;

/** Longest value displayed in full, in characters. Longer values are cut to this length around the difference. */
const COMPARED_MAX = 300;
const AROUND = 60;

/**
 * Trims both versions of a long value to the characters that differ. In metadata, for example, only one URL may
 * differ among thousands of characters.
 */
function whereItDiffers(change: Change['changes'][number], { before = {}, after = {} }: Facts) {
  const { field } = change;
  const [old, now] = [before[field], after[field]];
  if (typeof old !== 'string' || typeof now !== 'string') return change;
  if (old.length <= COMPARED_MAX && now.length <= COMPARED_MAX) return change;
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start += 1;
  let same = 0;
  while (same < shorter - start && old.at(-1 - same) === now.at(-1 - same)) same += 1;
  const part = (text: string) => {
    const [from, to] = [Math.max(0, start - AROUND), Math.min(text.length, text.length - same + AROUND)];
    const cut = text.slice(from, Math.min(to, from + COMPARED_MAX));
    return `${from > 0 ? '…' : ''}${cut}${from + cut.length < text.length ? '…' : ''}`;
  };
  return { field, before: part(old), after: part(now) };
}

/** The importing member, and the configuration parts in write order. */
interface Importing {
  deps: Deps;
  caller: Caller;
  actor: AuditActor;
  parts: readonly ConfigurationPart[];
}

/** Returns what an import would change. Runs the import and rolls it back, which applies every rule. */
async function checkConfiguration(by: Importing, given: string | World): Promise<ConfigurationDifference> {
  const { deps, actor } = by;
  const { orgCode } = actor;
  const read = await readConfiguration(orgCode, given);
  const { from } = read;
  const version = versionOf(exportConfiguration(deps.db, orgCode));
  const leftOut = [...read.leftOut, ...read.locate(read.file ? skippedWebhooks(deps, orgCode, read.file) : [])];
  const unchanged = read.file ? unchangedItems(deps, orgCode, read.file) : [];
  const steps = await begin(by, read);
  const { issues, changes } = dryRun(deps, steps);
  return { from, mistakes: [...read.mistakes, ...read.locate(issues)], changes, leftOut, kept: unchanged, version };
}

/**
 * Imports the whole configuration, or nothing if any part fails.
 * @throws StaleVersion; Refusal INVALID_REQUEST with every reason why it can't be imported
 */
async function importConfiguration(
  by: Importing,
  given: string | World,
  version: Version,
): Promise<Pick<ConfigurationDifference, 'from' | 'changes'>> {
  const { deps, actor } = by;
  const { orgCode } = actor;
  const read = await readConfiguration(orgCode, given);
  const { from } = read;
  const steps = await begin(by, read);
  const changes = deps.db.transaction((tx) => {
    const editable = exportConfiguration(tx, orgCode);
    version.require(tx, { orgCode, editable, present: () => checkConfiguration(by, given) });
    const issues = write(steps);
    const errors = [...read.mistakes, ...read.locate(issues)];
    if (errors.length > 0) throw refused(errors);
    const object = { type: 'configuration', id: orgCode, name: 'Configuration' } as const;
    const count = steps.changes().length;
    const facts = count === 0 ? { before: {}, after: {} } : { after: { from, changes: count } };
    record(deps, tx, actor, { action: 'configuration.imported', object, ...facts });
    version.answer(exportConfiguration(tx, orgCode));
    tx.afterCommit(steps.publish);
    return steps.changes();
  });
  return { from, changes };
}

/** Steps of an import, ready to be written in one transaction. */
interface Steps {
  ready: { step: Step; write: () => void }[];
  /** Reasons why the other steps could not be prepared. */
  issues: ShapeIssue[];
  /** Returns the changes written so far. */
  changes(): Change[];
  /** Publishes the changed topics. Call after the commit. */
  publish(): void;
}

async function begin({ deps, caller, actor, parts }: Importing, { file }: ReadConfiguration): Promise<Steps> {
  const topics = new Set<string>();
  const changes = new Map<string, Change>();
  const changed = (topic: string) => void topics.add(topic);
  const quiet: Deps = { ...deps, bus: { ...deps.bus, changed } };
  const recorder: AuditActor = { ...actor, recorded: [], onEvent: (event, facts) => noteChange(changes, event, facts) };
  const call: Import | undefined = file && { deps: quiet, caller, actor: recorder, file };
  const steps: Steps = {
    ready: [],
    issues: [],
    changes: () => [...changes.values()].filter(isChange),
    publish: () => {
      for (const topic of topics) deps.bus.changed(topic);
    },
  };
  for (const step of call ? parts.flatMap((part) => part(call)) : []) {
    try {
      steps.ready.push({ step, write: await step.prepare() });
    } catch (reason) {
      steps.issues.push(...issuesOf(step, reason));
    }
  }
  return steps;
}

/**
 * Writes the steps. Call inside a transaction.
 * @returns the reasons to roll back; empty if the import succeeded
 */
function write({ ready, issues }: Steps): ShapeIssue[] {
  return [
    ...issues,
    ...ready.flatMap(({ step, write: run }) => {
      try {
        run();
        return [];
      } catch (reason) {
        return issuesOf(step, reason);
      }
    }),
  ];
}

class Rehearsed extends Error {}

function dryRun({ db }: Deps, steps: Steps): { issues: ShapeIssue[]; changes: Change[] } {
  let issues: ShapeIssue[] = [];
  try {
    db.transaction(() => {
      issues = write(steps);
      throw new Rehearsed();
    });
  } catch (reason) {
    if (!(reason instanceof Rehearsed)) throw reason;
  }
  return { issues, changes: steps.changes() };
}

/**
 * Converts a step's refusal to issues with paths in the file.
 * @throws any error that isn't a Refusal, because it is a bug in the portal
 */
function issuesOf({ path, placeOf = () => path }: Step, reason: unknown): ShapeIssue[] {
  if (!(reason instanceof Refusal)) throw reason;
  if (!reason.issues) return [{ path, message: reason.message }];
  return reason.issues.map((issue) => ({ path: placeOf(issue.path), message: issue.message }));
}

function refused(errors: ConfigurationDifference['mistakes']): Refusal {
  const issues = errors.map(({ path, message }) => ({
    path: path === '' ? 'configuration' : `configuration.${path}`,
    message,
  }));
  const count = issues.length === 1 ? 'one error' : `${issues.length} errors`;
  return new Refusal('INVALID_REQUEST', { message: `This file has ${count}, so nothing was imported.`, issues });
}

/**
 * Serves an organisation's configuration as a file.
 * @param parts in write order: roles before the applications that refer to them
 */
export function configuration(app: FastifyInstance, deps: Deps, parts: readonly ConfigurationPart[]): void {
  implement(app, deps, contract.exportConfiguration, async ({ caller: { orgCode }, query: { format }, version }) => {
    const organisation = exportConfiguration(deps.db, orgCode);
    version.answer(organisation);
    // The JSON round trip removes undefined fields.
    const written: unknown = JSON.parse(JSON.stringify({ organisations: [organisation] }));
    const fileName = `configuration-${orgCode}.${format}`;
    const json = JSON.stringify(written, null, 2);
    if (format === 'json') return new Download([json], { type: 'application/json', fileName });
    // JSON is also valid YAML, and files above this size can be imported only as JSON.
    if (json.length > YAML_MAX) return new Download([json], { type: 'application/yaml', fileName });
    const { stringify } = await import('yaml');
    const text = stringify(written, { lineWidth: 0, aliasDuplicateObjects: false });
    return new Download([text], { type: 'application/yaml', fileName });
  });

  implement(app, deps, contract.checkConfiguration, ({ caller, actor, body }) =>
    checkConfiguration({ deps, caller, actor, parts }, body.configuration),
  );
  implement(app, deps, contract.importConfiguration, ({ caller, actor, body, version }) =>
    importConfiguration({ deps, caller, actor, parts }, body.configuration, version),
  );
}
