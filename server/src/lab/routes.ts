import { isIP } from 'node:net';
import { mailTextRepo, organisationRepo, outboxRepo, resetDatabase, restoreDatabase } from '@orchestrate/db';
import { contract, OUTBOX_MESSAGES_MAX, type OutboxMessage, SECOND } from '@orchestrate/shared';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '#deps.ts';
import type { ClockSetting } from '#platform/adapters/clock.ts';
import { requireLab } from '#platform/http/callers/require-lab.ts';
import { patternOf } from '#platform/http/contract-routes.ts';
import { implement } from '#platform/http/implement.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { type RenderedMessage, renderMessage } from '#platform/mails/render-message.ts';
import { nearest } from '#platform/nearest.ts';
import { Refusal, refuseField } from '#platform/refusal.ts';
import type { SnapshotState } from '#platform/snapshot-state.ts';
import { isoOf } from '#platform/times.ts';
import { labClock } from './clock.ts';
import { deliveries } from './deliveries/routes.ts';
import { pathOf } from './faults/answer-with-fault.ts';
import { LAB_PREFIX } from './faults/require-served.ts';
import { faults } from './faults/routes.ts';
import { canMatchPattern, collectServedPaths } from './faults/served-paths.ts';
import { beforeHandlers, interceptRequests } from './intercept-requests.ts';
import { journal } from './journal/routes.ts';
import { displayedPath } from './journal/shown-path.ts';
import { magic } from './magic/routes.ts';
import { people } from './people/routes.ts';
import { phones } from './phones/routes.ts';
import { provisioning } from './provisioning/routes.ts';
import { recordLabAction } from './record-in-lab.ts';
import { snapshots } from './snapshots.ts';
import { socketFaults } from './sockets/routes.ts';
import { spaces } from './spaces/routes.ts';
import type { StartSpace } from './spaces/spaces.ts';
import { tokens } from './tokens/routes.ts';
import { COMPARED_MAX, shortened, unusedControls } from './unused.ts';
import { createWaiting } from './wait-until.ts';
import { frozenTimeOf, readSeed, seedName } from './world/read-world.ts';
import { worlds } from './world/routes.ts';

/** Request header with the simulated IP address. */
const ADDRESS = 'x-lab-ip';
/** Request header with LAB_TOKEN, for requests that use `Authorization` for something else. */
const TOKEN = 'x-lab-token';

/**
 * Lets tests send requests from another IP address with the header `x-lab-ip`. The API, protocols and sockets use
 * this address in address lists, limits and history, but lab access still depends on the connection. Requests with
 * this header from clients without lab access are refused, so that no test passes because its header was ignored.
 */
function otherAddresses(app: FastifyInstance, { config }: Deps): void {
  const isGiven = ({ headers }: FastifyRequest) => headers[ADDRESS] !== undefined;
  interceptRequests(app, 'onRequest', isGiven, async (request) => {
    comeFrom(request, String(request.headers[ADDRESS]));
    return undefined;
  });

  /**
   * Replaces a request's IP address with the simulated address, if the client has lab access.
   * @throws Refusal FORBIDDEN, INVALID_REQUEST
   */
  function comeFrom(request: FastifyRequest, given: string): void {
    const token = request.headers[TOKEN];
    requireLab(config, request, token === undefined ? undefined : String(token));
    if (isIP(given) === 0) {
      const issues = [{ path: ADDRESS, message: 'Must be a single IPv4 or IPv6 address, e.g. 203.0.113.7' }];
      throw new Refusal('INVALID_REQUEST', { message: `${ADDRESS} must be a single IPv4 or IPv6 address.`, issues });
    }
    Object.defineProperty(request, 'ip', { value: given });
  }
}

/** Serves sent emails and text messages for tests and for anyone who tries the portal. */
function outbox(app: FastifyInstance, deps: Deps): void {
  const waiting = createWaiting(app, deps);

  implement(app, deps, contract.readOutbox, async ({ query: { to, after, wait } }) => {
    requireMessage(deps, after);
    const filter = { to, after };
    if (wait === undefined) return listMessages(deps, filter);
    const isGone = () => after !== undefined && !outboxRepo.hasMessage(deps.db, after);
    const isThere = () => isGone() || outboxRepo.listOutbox(deps.db, { ...filter, limit: 1 }).length > 0;
    await waiting.until([TOPIC.outbox, TOPIC.reset], isThere, wait * SECOND);
    requireMessage(deps, after);
    const found = listMessages(deps, filter);
    const until = waiting.isClosing() ? 'before the portal closed' : `within ${wait} s`;
    if (found.messages.length === 0) throw nothingCame(deps, { ...filter, until });
    return found;
  });

  implement(app, deps, contract.emptyOutbox, ({ query: { to }, actor }) => {
    const deleted = outboxRepo.emptyOutbox(deps.db, to);
    deps.bus.changed(TOPIC.outbox);
    recordLabAction(deps, actor, 'lab.outbox-emptied', { ...(to !== undefined && { to }) });
    return { deleted };
  });
}

/**
 * Verifies that the outbox contains the message after which to continue.
 * @throws Refusal INVALID_REQUEST if the message is unknown
 */
function requireMessage({ db }: Deps, after: string | undefined): void {
  if (after === undefined || outboxRepo.hasMessage(db, after)) return;
  const message = `The outbox doesn't contain the message ${after}. It might have been emptied.`;
  refuseField('after', message);
}

/** Maximum number of other recipients named in the time-out message. */
const RECIPIENTS_MAX = 20;

function nothingCame(
  { db }: Deps,
  { to, after, until }: { to?: string | undefined; after?: string | undefined; until: string },
) {
  const all = outboxRepo.listRecipients(db, { after, limit: RECIPIENTS_MAX + 1 });
  const recipients = all.slice(0, RECIPIENTS_MAX);
  const names = [...recipients, ...(all.length > RECIPIENTS_MAX ? ['…'] : [])].join(', ');
  const others = recipients.length > 0 ? `Messages were sent to ${names}.` : 'No messages were sent.';
  const message = `No message${to ? ` to ${to}` : ''} arrived ${until}. ${others}`;
  return new Refusal('ID_DOESNOT_EXIST', { message, fields: { recipients } });
}

function listMessages({ db, publicUrl }: Deps, filter: { to?: string | undefined; after?: string | undefined }) {
  const rows = outboxRepo.listOutbox(db, { ...filter, limit: OUTBOX_MESSAGES_MAX });
  const skipped = filter.after === undefined ? 0 : outboxRepo.countOutbox(db, filter) - rows.length;
  const messages = rows.flatMap((row): OutboxMessage[] => {
    const brand = organisationRepo.findOrganisation(db, row.orgCode);
    const own = mailTextRepo.findMailText(db, row);
    return brand ? [outboxMessageOf(row, renderMessage({ ...brand, publicUrl }, row, own))] : [];
  });
  return { messages, skipped };
}

function outboxMessageOf(row: outboxRepo.OutboxRow, { subject, text, html }: RenderedMessage): OutboxMessage {
  return {
    id: row.id,
    channel: row.channel,
    to: row.to,
    subject,
    text,
    html,
    ...(row.code !== null && { code: row.code }),
    links: [...new Set(text.match(/https?:\/\/[^\s<>"]+/g) ?? [])],
    sentAt: isoOf(row.createdAt),
    deliveredAt: isoOf(row.deliveredAt),
    attempts: row.attempts,
    lastError: row.lastError,
  };
}

/** Suggests the intended endpoint after a lab call with a misspelt path or the wrong method. */
function unknownCalls(app: FastifyInstance, deps: Deps): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (patternOf(request) === undefined && pathOf(request).startsWith(LAB_PREFIX)) refuse(deps, request);
    done();
  });
}

/**
 * Throws a refusal that suggests the intended lab endpoint.
 * @throws Refusal ID_DOESNOT_EXIST; UNAUTHORIZED, FORBIDDEN
 */
function refuse(deps: Deps, request: FastifyRequest): never {
  requireLab(deps.config, request);
  const path = pathOf(request);
  const calls = deps.registered.endpoints.filter(({ area }) => area === 'Lab');
  const methods = calls.filter((entry) => canMatchPattern(path, `/api${entry.path}`)).map(({ method }) => method);
  // The journal stores the response, and the path might contain a sign-in ID, so hide it.
  const shown = shortened(displayedPath(deps, path));
  throw new Refusal('ID_DOESNOT_EXIST', { message: `${request.method} ${shown} isn't a lab endpoint.${hint()}` });

  function hint(): string {
    if (methods.length > 0) return ` ${shown} answers ${methods.join(', ')}.`;
    const known = calls.map((entry) => `/api${entry.path}`);
    const meant = path.length > COMPARED_MAX ? undefined : nearest(path, known);
    return `${meant ? ` Did you mean ${meant}?` : ''} See /docs/areas/lab for all lab endpoints.`;
  }
}

/**
 * Sets the clock to the time of a world whose data has just been written. First cancels everything scheduled for the
 * previous world, because its cleanup would delete rows that are old by its clock. Then notifies channels, which
 * close if their session no longer exists.
 */
function beginWorld({ bus, clock }: Deps, setting: ClockSetting): void {
  clock.set(setting, () => bus.changed(TOPIC.reset));
}

/** Serves the lab, the controls of the simulation (contract §15). Not registered with `LAB=off`. */
export function lab(app: FastifyInstance, deps: Deps, startSpace?: StartSpace): void {
  beforeHandlers(app);
  otherAddresses(app, deps);
  const served = collectServedPaths(app, deps.config);
  journal(app, deps, served);
  const failures = faults(app, deps, served);
  magic(app, deps, failures);
  outbox(app, deps);
  const policies = phones(app, deps);
  socketFaults(app, deps);
  deliveries(app, deps);
  people(app, deps, policies);
  provisioning(app, deps);
  tokens(app, deps);
  unusedControls(app, deps, failures, policies);
  labClock(app, deps, policies);
  worlds(app, deps);
  /** Restores a snapshot's clock, faults and policies after its data has been restored. */
  const beginFrom = (state: SnapshotState) => {
    policies.clear();
    beginWorld(deps, state.clock);
    failures.replace(state.faults);
    deps.socketFaults.replace(state.socketFaults);
    deps.webhookFaults.replace(state.webhookFaults);
    deps.outboxFaults.replace(state.outboxFaults);
    policies.restore(state.policies);
  };
  spaces(app, deps, startSpace, snapshots(app, deps, { faults: failures, policies, beginFrom }));
  app.addHook('onReady', async () => {
    if (deps.initialState) beginFrom(deps.initialState);
  });
  const stopListening = deps.bus.listen([TOPIC.reset], () => app.resetRateLimits());
  app.addHook('preClose', async () => stopListening());

  unknownCalls(app, deps);

  implement(app, deps, contract.resetLab, async ({ body, actor }) => {
    const initialState = body?.seed === undefined ? deps.initialState : null;
    const seed = body?.seed === undefined ? deps.config.seed : await readSeed(deps, body.seed);
    const now = body?.seed === undefined ? undefined : frozenTimeOf(seed);
    const frozenAt = now === undefined ? undefined : Date.parse(now);
    // Write the data first. If writing fails, the faults, policies and journal stay unchanged.
    deps.world.end(() => {
      if (initialState) restoreDatabase(deps.db, initialState.image);
      else resetDatabase(deps.db, seed, frozenAt ?? deps.clock.startTime());
    });
    failures.clear();
    policies.clear();
    deps.socketFaults.clear();
    deps.webhookFaults.clear();
    deps.outboxFaults.clear();
    deps.journal.clear();
    const start = deps.clock.startSetting();
    if (initialState) beginFrom(initialState);
    else beginWorld(deps, frozenAt === undefined ? start : { ...start, frozenAt });
    recordLabAction(deps, actor, 'lab.reset', { seed: initialState ? 'snapshot' : seedName(seed) });
    return {};
  });
}
