import { exportConfiguration } from '@orchestrate/db';
import type { ConfigurationDifference, World } from '@orchestrate/shared';
import { record } from '../../core/audit/record.ts';
import type { ConfigurationPart, Import, Step } from '../../core/configuration/configuration-part.ts';
import type { Deps } from '../../deps.ts';
import type { AuditActor } from '../../platform/http/callers/actors.ts';
import type { Caller } from '../../platform/http/callers/caller.ts';
import type { ShapeIssue } from '../../platform/http/requests/read-shape.ts';
import { type Version, versionOf } from '../../platform/http/versions.ts';
import { Refusal } from '../../platform/refusal.ts';
import { keptOf } from './kept-things.ts';
import { maskedWebhooks } from './left-out.ts';
import { type Change, isChange, noteChange } from './note-change.ts';
import { type ReadConfiguration, readConfiguration } from './read-configuration.ts';

/** Who imports, and which parts of a file there are, in the order in which they are written. */
export interface Importing {
  deps: Deps;
  caller: Caller;
  actor: AuditActor;
  parts: readonly ConfigurationPart[];
}

/** What an import would change. It is written and rolled back, so that every rule applies. */
export async function checkConfiguration(by: Importing, given: string | World): Promise<ConfigurationDifference> {
  const { deps, actor } = by;
  const { orgCode } = actor;
  const read = await readConfiguration(orgCode, given);
  const { from } = read;
  const version = versionOf(exportConfiguration(deps.db, orgCode));
  const leftOut = [...read.leftOut, ...read.locate(read.file ? maskedWebhooks(deps, orgCode, read.file) : [])];
  const kept = read.file ? keptOf(deps, orgCode, read.file) : [];
  const steps = await begin(by, read);
  const { issues, changes } = rehearse(deps, steps);
  return { from, mistakes: [...read.mistakes, ...read.locate(issues)], changes, leftOut, kept, version };
}

/**
 * Imports a configuration: all of it, or nothing.
 * @throws StaleVersion; Refusal INVALID_REQUEST with every reason why it cannot be imported
 */
export async function importConfiguration(
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
    const mistakes = [...read.mistakes, ...read.locate(issues)];
    if (mistakes.length > 0) throw refused(mistakes);
    const object = { type: 'configuration', id: orgCode, name: 'Configuration' } as const;
    const count = steps.changes().length;
    const facts = count === 0 ? { before: {}, after: {} } : { after: { from, changes: count } };
    record(deps, tx, actor, { action: 'configuration.imported', object, ...facts });
    version.answer(exportConfiguration(tx, orgCode));
    return steps.changes();
  });
  steps.tell();
  return { from, changes };
}

/** The steps of an import, ready to be written in one transaction. */
interface Steps {
  ready: { step: Step; write: () => void }[];
  /** What prevented others from becoming ready. */
  issues: ShapeIssue[];
  /** What the writes have changed. */
  changes(): Change[];
  /** Tells everything that shows a thing that it has changed: call it after the transaction. */
  tell(): void;
}

async function begin({ deps, caller, actor, parts }: Importing, { file }: ReadConfiguration): Promise<Steps> {
  const topics = new Set<string>();
  let isTold = false;
  const changes = new Map<string, Change>();
  // Some are told later than the transaction ends, by a microtask.
  const changed = (topic: string) => (isTold ? deps.bus.changed(topic) : topics.add(topic));
  const quiet: Deps = { ...deps, bus: { ...deps.bus, changed } };
  const heard: AuditActor = { ...actor, recorded: [], onEvent: (event, facts) => noteChange(changes, event, facts) };
  const call: Import | undefined = file && { deps: quiet, caller, actor: heard, file };
  const steps: Steps = {
    ready: [],
    issues: [],
    changes: () => [...changes.values()].filter(isChange),
    tell: () => {
      isTold = true;
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

/** Writes the steps, inside a transaction. @returns why it must be rolled back; empty if nothing prevents the import */
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

function rehearse({ db }: Deps, steps: Steps): { issues: ShapeIssue[]; changes: Change[] } {
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

/** @throws anything but a Refusal, which is a defect */
function issuesOf({ path, placeOf = () => path }: Step, reason: unknown): ShapeIssue[] {
  if (!(reason instanceof Refusal)) throw reason;
  if (!reason.issues) return [{ path, message: reason.message }];
  return reason.issues.map((issue) => ({ path: placeOf(issue.path), message: issue.message }));
}

function refused(mistakes: ConfigurationDifference['mistakes']): Refusal {
  const issues = mistakes.map(({ path, message }) => ({
    path: path === '' ? 'configuration' : `configuration.${path}`,
    message,
  }));
  const count = issues.length === 1 ? 'one mistake' : `${issues.length} mistakes`;
  return new Refusal('INVALID_REQUEST', { message: `This file has ${count}; nothing was imported.`, issues });
}
