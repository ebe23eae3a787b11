import {
  type AnyFault,
  FAULTS_MAX,
  type FaultAnswer,
  type FaultMatch,
  type ProgrammedFault,
} from '@orchestrate/shared';
import { Refusal } from '#platform/refusal.ts';
import type { DamageSource, IssuedToken } from '#platform/tampering.ts';
import { listed } from './answer-with-fault.ts';
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

type DamageKind = Parameters<DamageSource>[0];

interface Waiting {
  id: string;
  /** The fault as added. */
  given: AnyFault;
  /** The same with the remaining number of times. */
  left: AnyFault;
  fault: ProgrammedFault;
}

/** A request before its handler runs. */
export interface SeenRequest {
  method: string;
  /** Path without the query. */
  path: string;
  /** Pattern of the route. */
  pattern: string;
  /** Lower-case email addresses of the people who send it or whom it names, and its organisations, once known. */
  about?: { emails: ReadonlySet<string>; orgs: ReadonlySet<string> };
}

/** The pending faults, and the last ones that fired. */
export interface FaultList {
  add(given: AnyFault): void;
  /**
   * Returns the fault that applies to a request, if any. Called twice per request: before the body has been read, and
   * then with `about`, because the body may name the people concerned.
   */
  take(request: SeenRequest, now: string): FaultAnswer | undefined;
  /**
   * Returns the damage to something issued now, if any.
   * @param emailOf only called if a fault names a person
   */
  takeDamage(kind: DamageKind, handedOut: IssuedToken, emailOf: () => string, now: string): FaultAnswer | undefined;
  /** Adds a fault to the fired ones that was never pending. */
  addFired(fault: ProgrammedFault, request: Pick<SeenRequest, 'method' | 'path'>, now: string): void;
  waiting(): AnyFault[];
  fired(): FiredFault[];
  isEmpty(): boolean;
  clear(): void;
  /** Removes the pending faults with exactly this match; returns true if there were any. */
  remove(match: Partial<FaultMatch>): boolean;
  /** Replaces all pending faults, and clears the fired ones. */
  replace(faults: readonly AnyFault[]): void;
}

/** Returns the full form of a fault in the short form. */
export function inFull(given: AnyFault): ProgrammedFault {
  if ('match' in given) return given;
  const { method, path, status, times, delayMs } = given;
  const answer: FaultAnswer = { status, ...(delayMs > 0 && { delayMs }) };
  const address = path.startsWith('/api/') ? path : `/api${path}`;
  return { match: { method, path: address }, answer, times, after: 0 };
}

/** @param nextId generates the id of a fault */
export function createFaultList(nextId: () => string): FaultList {
  let waiting: Waiting[] = [];
  let fired: FiredFault[] = [];

  const fits = ({ match }: ProgrammedFault, { method, path, pattern, about }: SeenRequest) =>
    // A preflight isn't the call that a test means, unless it says so.
    (match.method === undefined ? method !== 'OPTIONS' : match.method === method) &&
    (match.path === pattern || matchesPattern(path, match.path)) &&
    (match.email === undefined || about?.emails.has(match.email)) &&
    (match.org === undefined || about?.orgs.has(match.org));

  const isAboutSomebody = ({ match }: ProgrammedFault) => match.email !== undefined || match.org !== undefined;
  const isDamage = ({ answer }: ProgrammedFault) => answer.token !== undefined || answer.assertion !== undefined;

  function keepFired(one: FiredFault): void {
    fired = [one, ...fired].slice(0, FIRED_MAX);
  }

  /** Counts a request that matches these faults, whatever its result, and returns the first fault that is due. */
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

  /** Counts one more use of a fault. */
  function use(next: Waiting | undefined, { method, path }: { method: string; path: string }, now: string) {
    if (!next) return undefined;
    const { id, fault } = next;
    const times = fault.times - 1;
    next.fault = { ...fault, times };
    next.left = { ...next.left, times };
    keepFired({ id, method, path, at: now, fault: listed(next.given) });
    if (times === 0) waiting = waiting.filter((one) => one !== next);
    return fault.answer;
  }

  return {
    add(given) {
      if (waiting.length >= FAULTS_MAX) {
        const message = `${FAULTS_MAX} faults are already pending. DELETE /api/lab/faults removes them.`;
        throw new Refusal('INVALID_REQUEST', { message, status: 409 });
      }
      waiting.push({ id: nextId(), given, left: given, fault: inFull(given) });
    },

    take(request, now) {
      const fitting = waiting.filter(
        ({ fault }) =>
          !isDamage(fault) && isAboutSomebody(fault) === (request.about !== undefined) && fits(fault, request),
      );
      return use(firstDue(fitting), request, now);
    },

    takeDamage(kind, handedOut, emailOf, now) {
      const { method, path, alsoBy = [], orgCode } = handedOut;
      const fitting = waiting.filter(({ fault: { match, answer } }) => {
        const isMeant = answer[kind] !== undefined && (match.method === undefined || match.method === method);
        const isThere = isMeant && [path, ...alsoBy].some((address) => matchesPattern(address, match.path));
        if (!isThere || (match.org !== undefined && match.org !== orgCode)) return false;
        return match.email === undefined || match.email === emailOf();
      });
      return use(firstDue(fitting), handedOut, now);
    },

    addFired(fault, { method, path }, now) {
      keepFired({ id: nextId(), method, path, at: now, fault });
    },

    replace(faults) {
      fired = [];
      waiting = faults.map((given) => ({ id: nextId(), given, left: given, fault: inFull(given) }));
    },

    waiting: () => waiting.map(({ left }) => left),
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
  one.method === other.method && one.path === other.path && one.email === other.email && one.org === other.org;
