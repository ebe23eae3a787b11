import {
  type AnyFault,
  FAULTS_MAX,
  type FaultAnswer,
  type FaultMatch,
  type ProgrammedFault,
} from '@orchestrate/shared';
import { fieldsOf } from '#platform/http/callers/permissions.ts';
import { Refusal } from '#platform/refusal.ts';
import type { IssuedToken, TamperingSource } from '#platform/tampering.ts';
import { missingParts } from '../journal/verify.ts';
import { truncateFault } from './answer-with-fault.ts';
import { matchesPattern } from './served-paths.ts';

/** Maximum number of listed fired faults. */
const FIRED_MAX = 200;

export interface FiredFault {
  id: string;
  method: string;
  path: string;
  at: string;
  fault: AnyFault;
}

type DamageKind = Parameters<TamperingSource>[0];
const TAMPERING: readonly DamageKind[] = ['token', 'claims', 'fields', 'assertion'];

interface Waiting {
  id: string;
  /** Fault as it was added. */
  given: AnyFault;
  /** The added fault with its remaining `times` and `after`. */
  left: AnyFault;
  fault: ProgrammedFault;
}

export interface SeenRequest {
  method: string;
  path: string;
  /** Route pattern. */
  pattern: string;
  /**
   * Lower-case email addresses of the sender and of people named in the request, the organisations involved, the client
   * ID and the parsed body. Set once they are known.
   */
  about?: {
    emails: ReadonlySet<string>;
    orgs: ReadonlySet<string>;
    client: string | undefined;
    body: unknown;
  };
}

/** List of pending and recently fired faults. */
export interface FaultList {
  add(given: AnyFault): void;
  /**
   * Returns the response of the fault that applies to a request, if any. Called twice per request: before the body is
   * read, and again with `about`, because the body can name people and organisations.
   */
  take(request: SeenRequest, now: string): FaultAnswer | undefined;
  /** Returns true if the body of a request, or the client ID in it, decides whether a fault applies. */
  needsBody(request: SeenRequest): boolean;
  /**
   * Returns the fault that tampers with a token or assertion being issued, if any.
   * @param emailOf only called if a fault names a person
   */
  takeDamage(kind: DamageKind, handedOut: IssuedToken, emailOf: () => string, now: string): FaultAnswer | undefined;
  /** Adds a fault that was never pending to the list of fired faults. */
  addFired(fault: ProgrammedFault, request: Pick<SeenRequest, 'method' | 'path'>, now: string): void;
  waiting(): AnyFault[];
  /** Returns the pending faults that have never fired. */
  unused(): AnyFault[];
  fired(): FiredFault[];
  isEmpty(): boolean;
  clear(): void;
  /** Removes pending faults with exactly this match. Returns true if there were any. */
  remove(match: Partial<FaultMatch>): boolean;
  /** Replaces all pending faults and clears the fired ones. */
  replace(faults: readonly AnyFault[]): void;
}

/** Expands a fault from its short form. */
export function expandFault(given: AnyFault): ProgrammedFault {
  if ('match' in given) return given;
  const { method, path, status, times, delayMs } = given;
  const answer: FaultAnswer = { status, ...(delayMs > 0 && { delayMs }) };
  const address = path.startsWith('/api/') ? path : `/api${path}`;
  return { match: { method, path: address }, answer, times, after: 0 };
}

/**
 * Creates an empty fault list.
 * @param nextId generates fault IDs
 */
export function createFaultList(nextId: () => string): FaultList {
  let waiting: Waiting[] = [];
  let fired: FiredFault[] = [];

  const isAt = ({ match }: ProgrammedFault, { method, path, pattern }: SeenRequest) =>
    // Skip CORS preflights unless the fault matches OPTIONS explicitly.
    (match.method === undefined ? method !== 'OPTIONS' : match.method === method) &&
    (match.path === pattern || matchesPattern(path, match.path));
  const fits = (fault: ProgrammedFault, { about, ...request }: SeenRequest) =>
    isAt(fault, request) &&
    (fault.match.email === undefined || about?.emails.has(fault.match.email)) &&
    (fault.match.org === undefined || about?.orgs.has(fault.match.org)) &&
    isSentWith(fault.match, about);

  const dependsOnBody = ({ match }: ProgrammedFault) => match.client !== undefined || match.body !== undefined;
  const dependsOnDetails = (fault: ProgrammedFault) =>
    fault.match.email !== undefined || fault.match.org !== undefined || dependsOnBody(fault);
  const isDamage = ({ answer }: ProgrammedFault) => TAMPERING.some((name) => answer[name] !== undefined);

  function keepFired(one: FiredFault): void {
    fired = [one, ...fired].slice(0, FIRED_MAX);
  }

  /** Counts a request for all matching faults and returns the first fault that is due. */
  function firstDue(fitting: readonly Waiting[]): Waiting | undefined {
    const due = fitting.find(({ fault }) => fault.after === 0);
    for (const one of fitting) {
      const { after } = one.fault;
      if (after === 0) continue;
      one.fault = { ...one.fault, after: after - 1 };
      if ('match' in one.left) one.left = { ...one.left, after: after - 1 };
    }
    return due;
  }

  /** Uses a fault once, listing it as fired. */
  function use(next: Waiting | undefined, { method, path }: { method: string; path: string }, now: string) {
    if (!next) return undefined;
    const { id, fault } = next;
    const times = fault.times - 1;
    next.fault = { ...fault, times };
    next.left = { ...next.left, times };
    keepFired({ id, method, path, at: now, fault: truncateFault(next.given) });
    if (times === 0) waiting = waiting.filter((one) => one !== next);
    return fault.answer;
  }

  return {
    add(given) {
      if (waiting.length >= FAULTS_MAX) {
        const message = `${FAULTS_MAX} faults are already pending. Remove them with DELETE /api/lab/faults.`;
        throw new Refusal('INVALID_REQUEST', { message, status: 409 });
      }
      waiting.push({ id: nextId(), given, left: given, fault: expandFault(given) });
    },

    take(request, now) {
      const fitting = waiting.filter(
        ({ fault }) =>
          !isDamage(fault) && dependsOnDetails(fault) === (request.about !== undefined) && fits(fault, request),
      );
      return use(firstDue(fitting), request, now);
    },

    needsBody: (request) =>
      waiting.some(({ fault }) => !isDamage(fault) && dependsOnBody(fault) && isAt(fault, request)),

    takeDamage(kind, handedOut, emailOf, now) {
      const { method, path, alsoBy = [], orgCode, claimNames = [] } = handedOut;
      const fitting = waiting.filter(({ fault: { match, answer } }) => {
        const isMeant = answer[kind] !== undefined && (match.method === undefined || match.method === method);
        const isThere = isMeant && [path, ...alsoBy].some((address) => matchesPattern(address, match.path));
        const isAbsent = typeof answer.token === 'object' && !claimNames.includes(answer.token.without);
        if (!isThere || isAbsent || (match.org !== undefined && match.org !== orgCode)) return false;
        if (!isSentWith(match, handedOut)) return false;
        return match.email === undefined || match.email === emailOf();
      });
      return use(firstDue(fitting), handedOut, now);
    },

    addFired(fault, { method, path }, now) {
      keepFired({ id: nextId(), method, path, at: now, fault });
    },

    replace(faults) {
      fired = [];
      waiting = faults.map((given) => ({ id: nextId(), given, left: given, fault: expandFault(given) }));
    },

    waiting: () => waiting.map(({ left }) => left),
    unused: () => waiting.filter(({ given, left }) => given.times === left.times).map(({ given }) => given),
    fired: () => fired,
    isEmpty: () => waiting.length === 0,
    clear() {
      waiting = [];
      fired = [];
    },
    remove(match) {
      const others = waiting.filter(({ fault }) => !isSame(fault.match, match));
      const isFound = others.length < waiting.length;
      waiting = others;
      return isFound;
    },
  };
}

const isSame = (one: Partial<FaultMatch>, other: Partial<FaultMatch>): boolean =>
  (['method', 'path', 'email', 'org', 'client'] as const).every((name) => one[name] === other[name]);

/** Returns true if a request comes from the client and has the body fields of a match. */
function isSentWith(match: FaultMatch, sent: { client?: string | undefined; body?: unknown } | undefined): boolean {
  if (match.client !== undefined && match.client !== sent?.client) return false;
  const fields = fieldsOf(sent?.body);
  return Object.entries(match.body ?? {}).every(([name, expected]) => {
    const actual = fields[name];
    // A form can repeat a field, such as `resource` (RFC 8707 §2).
    const isListed = typeof expected === 'string' && Array.isArray(actual) && actual.includes(expected);
    return isListed || missingParts(expected, actual, name).length === 0;
  });
}
