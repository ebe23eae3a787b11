import {
  type AnyFault,
  contract,
  decodedPath,
  type OutboxFault,
  type PhonePolicy,
  type ProgrammedFault,
  type SocketFault,
  type WebhookFault,
} from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { implement } from '#platform/http/implement.ts';
import type { Journal, RawEntry, RawHttp, RecordedEntry } from '#platform/journal.ts';
import { truncateFault } from './faults/answer-with-fault.ts';
import { expandFault, type FaultList } from './faults/fault-list.ts';
import { LAB_PREFIX } from './faults/require-served.ts';
import { matchesPattern } from './faults/served-paths.ts';
import { readEntry } from './journal/read-entry.ts';
import { mentionsEmail } from './journal/verify.ts';
import { findPhoneOf, type Policies } from './phones/policies.ts';

/** Newest journal entry at the time each control was set. Controls that a snapshot restored have none. */
const setAfter = new WeakMap<object, number>();

/** Remembers when a control was set, so that `readUnused` can explain what has happened since. */
export const markSet = ({ journal }: { journal: Journal }, control: object): void =>
  void setAfter.set(control, journal.last());

/** Maximum length of a path to suggest corrections for, and of a text to display in full. */
export const COMPARED_MAX = 100;
export const shortened = (text: string): string =>
  text.length > COMPARED_MAX ? `${text.slice(0, COMPARED_MAX)}…` : text;

/** Lists the controls that have not fired, which often means that a test doesn't do what its author expects. */
export function unusedControls(app: FastifyInstance, deps: Deps, faultList: FaultList, policies: Policies): void {
  const describe = <Control extends object>(
    controls: readonly Control[],
    [what, outcome]: readonly [string, string],
    why: (control: Control, since: number) => string | undefined,
  ): string[] =>
    controls.map((control) => {
      const since = setAfter.get(control);
      // If entries have been removed from the journal, it no longer shows what happened.
      const reason = since === undefined || deps.journal.forgotten(since) > 0 ? undefined : why(control, since);
      return `The ${what} ${shortened(JSON.stringify(control))} has not ${outcome}${reason ? `: ${reason}` : ''}.`;
    });

  implement(app, deps, contract.readUnused, () => {
    const { socketFaults, webhookFaults, outboxFaults } = deps;
    const faults = faultList.unused();
    const found = {
      faults: faults.map(truncateFault),
      policies: [...policies.unused()],
      socketFaults: [...socketFaults.unused()],
      webhookFaults: [...webhookFaults.unused()],
      outboxFaults: [...outboxFaults.unused()],
    };
    const messages = [
      ...describe(faults, ['fault', 'fired'], (fault, since) => whyFault(deps, fault, since)),
      ...describe(found.policies, ['policy', 'answered any request'], (policy, since) =>
        whyPolicy(deps, policy, since),
      ),
      ...describe(found.socketFaults, ['socket fault', 'fired'], (fault, since) => whySocketFault(deps, fault, since)),
      ...describe(found.webhookFaults, ['webhook fault', 'fired'], (fault, since) => whyWebhook(deps, fault, since)),
      ...describe(found.outboxFaults, ['outbox fault', 'fired'], (fault, since) => whyOutbox(deps, fault, since)),
    ];
    return { ...found, messages };
  });
}

type Recorded<Kind extends RawEntry['kind']> = RecordedEntry & { raw: Extract<RawEntry, { kind: Kind }> };

const entriesSince = <Kind extends RawEntry['kind']>(journal: Journal, kind: Kind, after: number) =>
  journal.entries({ after, kind }) as Recorded<Kind>[];

const among = (values: readonly string[]): string => [...new Set(values)].join(', ');
const pathIn = ({ url }: Pick<RawHttp, 'url'>): string => decodedPath(url.split('?')[0] ?? '');

/** Returns why a fault hasn't fired, or undefined if the journal doesn't show it. */
function whyFault(deps: Deps, given: AnyFault, since: number): string | undefined {
  const { match, answer, after }: ProgrammedFault = expandFault(given);
  const { path, method, email, org } = match;
  const arrived = entriesSince(deps.journal, 'http', since).filter(
    ({ raw }) => !pathIn(raw).startsWith(LAB_PREFIX) && (raw.pattern === path || matchesPattern(pathIn(raw), path)),
  );
  if (arrived.length === 0) return `no request to ${path} has arrived since it was set`;
  const meant = arrived.filter(({ raw }) => (method === undefined ? raw.method !== 'OPTIONS' : raw.method === method));
  if (meant.length === 0) {
    const methods = among(arrived.map(({ raw }) => raw.method));
    return `requests to ${path} arrived with ${methods}${method === undefined ? ' only' : `, not with ${method}`}`;
  }
  const entries = meant.map((entry) => ({ raw: entry.raw, entry: readEntry(deps, entry) }));
  const ofPerson = entries.filter(({ entry }) => email === undefined || mentionsEmail(entry, email));
  if (ofPerson.length === 0) return `no request to ${path} came from ${email} or named this address`;
  const ofOrg = ofPerson.filter(
    ({ raw, entry }) => org === undefined || entry.org === org || pathIn(raw).split('/').includes(org),
  );
  if (ofOrg.length === 0) return `no request to ${path} was about the organisation ${org}`;
  if (after >= ofOrg.length) return `it skips the first ${after} requests, and only ${ofOrg.length} arrived`;
  const statuses = among(ofOrg.map(({ raw }) => String(raw.status)));
  const isRefused = ofOrg.every(({ raw }) => raw.status >= 400);
  const missing = missingIn(answer);
  if (missing)
    return isRefused ? `all responses were errors (${statuses}), without ${missing}` : `no response had ${missing}`;
  const others = entriesSince(deps.journal, 'fault', since).some(({ raw }) => matchesPattern(raw.path, path));
  return others ? 'another fault answered the requests' : undefined;
}

/** Describes what a response must contain for the fault to apply. */
function missingIn({ token, fields, assertion }: ProgrammedFault['answer']): string | undefined {
  if (token !== undefined) {
    const claim = typeof token === 'object' ? ` with the claim ${token.without}` : '';
    return `an ID token${claim} (which requires a user and the scope openid)`;
  }
  if (fields !== undefined) return 'an access token';
  return assertion === undefined ? undefined : 'a SAML assertion';
}

function whyPolicy(deps: Deps, policy: PhonePolicy, since: number): string | undefined {
  const { kind, org, email, zid } = policy.match;
  const begun = entriesSince(deps.journal, 'challenge', since).filter(
    ({ raw }) => raw.state === 'begun' && raw.challengeKind !== 'add-device',
  );
  if (begun.length === 0) return 'no request for a phone has been created since it was set';
  const ofKind = begun.filter(({ raw }) => kind === undefined || raw.challengeKind === kind);
  if (ofKind.length === 0) return `requests were of the kind ${among(begun.map(({ raw }) => raw.challengeKind))}`;
  const ofOrg = ofKind.filter(({ raw }) => org === undefined || raw.orgCode === org);
  if (ofOrg.length === 0) return `requests were in ${among(ofKind.map(({ raw }) => raw.orgCode))}`;
  const reachable = ofOrg.filter(({ raw }) => raw.suid === null || findPhoneOf(deps, policy, raw));
  if (reachable.length === 0) return `no request was for ${email ?? zid ?? 'a user with a simulated phone'}`;
  if (!policy.opens && reachable.every(({ raw }) => raw.suid === null)) {
    return 'the requests were codes, which phones only scan with opens: true';
  }
  const isAnswered = entriesSince(deps.journal, 'policy', since).length > 0;
  return isAnswered ? 'another policy answered the requests' : undefined;
}

function whySocketFault({ journal }: Deps, { channel, state, do: effect }: SocketFault, since: number) {
  const events = entriesSince(journal, 'socket', since).filter(({ raw }) => raw.channel.path === `/ws/${channel}`);
  if (!events.some(({ raw }) => ['opened', 'refused'].includes(raw.direction)) && effect === 'refuse') {
    return `no connection to the channel ${channel} has been opened since it was set`;
  }
  const sent = events.filter(({ raw }) => raw.direction === 'sent');
  if (sent.length === 0) return `no message has been sent on the channel ${channel} since it was set`;
  return state === undefined ? undefined : `no message on the channel ${channel} had the state ${state}`;
}

function whyWebhook({ journal }: Deps, { event, org, do: effect }: WebhookFault, since: number): string | undefined {
  const sent = entriesSince(journal, 'webhook', since);
  if (sent.length === 0) return 'no delivery has been sent since it was set';
  const isForReal = effect === 'delay' || effect === 'reorder';
  const own = sent.filter(({ raw }) => raw.event !== 'webhook.test' && !(raw.isForged && isForReal));
  if (own.length === 0)
    return `only tests ${isForReal ? 'or forged deliveries ' : ''}were sent, which this fault doesn't affect`;
  const ofEvent = own.filter(({ raw }) => event === undefined || raw.event === event);
  if (ofEvent.length === 0) return `deliveries had the events ${among(own.map(({ raw }) => raw.event))}`;
  const ofOrg = ofEvent.filter(({ raw }) => org === undefined || raw.orgCode === org);
  return ofOrg.length === 0 ? `deliveries were in ${among(ofEvent.map(({ raw }) => raw.orgCode))}` : undefined;
}

function whyOutbox({ journal }: Deps, { to }: OutboxFault, since: number): string | undefined {
  const emails = entriesSince(journal, 'message', since).filter(({ raw }) => raw.channel === 'mail');
  if (emails.length === 0) return 'no email has been sent since it was set';
  const others = emails.map(({ raw }) => raw.to);
  return to === undefined || others.includes(to) ? undefined : `emails were sent to ${shortened(among(others))}`;
}
