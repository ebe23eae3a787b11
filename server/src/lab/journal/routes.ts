import { memberRepo } from '@orchestrate/db';
import { contract, decodedPath, type JournalEntry, labLive } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { implement } from '../../platform/http/implement.ts';
import type { RecordedEntry } from '../../platform/journal.ts';
import { TOPIC } from '../../platform/live/bus.ts';
import { serveChannel } from '../../platform/live/serve-channel.ts';
import { requireApplication } from '../faults/require-served.ts';
import { meetsPattern, type ServedPaths } from '../faults/served-paths.ts';
import { requireMemberWith, requireOrgCode } from '../phones/find-phone.ts';
import { recordInLab } from '../record-in-lab.ts';
import { readEntry } from './read-entry.ts';
import { recordChanges } from './record-changes.ts';
import { recordHttp } from './record-http.ts';
import { requireFindable, requireHappened, requireReadable } from './require-findable.ts';
import { requirePossible } from './require-possible.ts';
import { names, verify } from './verify.ts';

/** Watchers are told at most this often. */
const TELL_MS = 100;

/** What happened in this portal, and that something has. */
export function journal(app: FastifyInstance, deps: Deps, served: () => ServedPaths): void {
  recordHttp(app, deps);
  recordChanges(app, deps);

  implement(app, deps, contract.readJournal, ({ query: { after, limit, kind, path, email, org } }) => {
    if (org !== undefined) requireOrgCode(deps, org);
    if (path !== undefined) requireFindable(deps, served(), { kind, path, email, org });
    if (email !== undefined) requireKnown(email);
    if (after !== undefined) requireHappened(deps, after);
    const found = deps.journal.entries({ after, kind });
    const fits = (entry: JournalEntry, address = '') =>
      (path === undefined || meetsPattern(pathOf(entry), path) || meetsPattern(address, path)) &&
      (email === undefined || names(entry, email)) &&
      (org === undefined || entry.org === org);
    const entries: JournalEntry[] = [];
    // The newest unless asked for what follows a number; either way no more are read than are answered.
    for (const happened of after === undefined ? found.toReversed() : found) {
      if (entries.length === limit) break;
      const entry = readEntry(deps, happened);
      if (fits(entry, addressOf(happened))) entries.push(entry);
    }
    const last = deps.journal.last();
    if (after === undefined) return { entries: entries.reverse(), last, skipped: 0 };
    return { entries, last, skipped: deps.journal.forgotten(after) };
  });

  implement(app, deps, contract.emptyJournal, ({ actor }) => {
    deps.journal.clear();
    deps.bus.changed(TOPIC.journal);
    recordInLab(deps, actor, 'lab.journal-emptied', {});
    return {};
  });

  implement(app, deps, contract.verifyJournal, ({ body }) => {
    const { kind, path, email, org, application, after = 0 } = body;
    const skipped = body.after === undefined ? 0 : deps.journal.forgotten(after);
    if (org !== undefined) requireOrgCode(deps, org);
    if (path !== undefined) requireFindable(deps, served(), { kind, path, email, org });
    requireReadable(deps, body);
    if (email !== undefined) requireKnown(email);
    if (application !== undefined) requireKnownApplication(application, org);
    requireHappened(deps, after);
    const happened = deps.journal.entries({ kind });
    const entries = happened.map((one) => ({ entry: readEntry(deps, one), address: addressOf(one) }));
    requirePossible(deps, body, entries);
    return verify(
      entries.filter(({ entry }) => entry.seq > after),
      body,
      skipped,
    );
  });

  /**
   * Misspelt, it would never have happened, and so pass as “0 times”.
   * @throws Refusal ORG_EMAIL_NOT_FOUND where nobody has this address, and nothing that happened names it
   */
  function requireKnown(email: string): void {
    if (memberRepo.listMembersByEmail(deps.db, email).length > 0) return;
    if (!deps.journal.entries().some((one) => names(readEntry(deps, one), email))) requireMemberWith(deps, email);
  }

  /** @throws Refusal ORG_APP_MISSING where no application has this id, and none had that asked for something */
  function requireKnownApplication(appId: string, org: string | undefined): void {
    const asked = deps.journal.entries({ kind: 'exchange' });
    if (!asked.some(({ raw }) => raw.kind === 'exchange' && raw.appId === appId)) requireApplication(deps, org, appId);
  }

  let changes = 0;
  let timer: NodeJS.Timeout | undefined;
  const stop = deps.bus.listen([TOPIC.journal, TOPIC.outbox, TOPIC.spaces], () => {
    if (timer || deps.bus.listeners(TOPIC.lab) === 0) return;
    timer = setTimeout(() => {
      timer = undefined;
      changes += 1;
      deps.bus.changed(TOPIC.lab);
    }, TELL_MS);
  });
  app.addHook('preClose', async () => {
    stop();
    clearTimeout(timer);
  });

  serveChannel(app, deps, labLive, {
    open: () => ({
      topics: [TOPIC.lab],
      state: () => ({ message: { op: 'LAB' as const, last: deps.journal.last(), changes } }),
    }),
  });
}

const pathOf = (entry: JournalEntry): string =>
  entry.kind === 'socket' ? entry.channel : entry.kind === 'http' || entry.kind === 'fault' ? entry.path : '';

/** The address of a request as it was asked for; in its entry parts of it may be hidden. */
const addressOf = ({ raw }: RecordedEntry): string | undefined =>
  raw.kind === 'http' ? decodedPath(raw.url.split('?')[0] ?? '') : raw.kind === 'fault' ? raw.path : undefined;
