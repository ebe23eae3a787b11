import { isDeepStrictEqual } from 'node:util';
import { appLoginRepo, challengeRepo, virtualDeviceRepo } from '@orchestrate/db';
import type { PhoneAnswer, PhonePolicy, PolicyMatch } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { findPushRecipient } from '#core/sign-in/begin/push-person.ts';
import type { Deps } from '#deps.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { Refusal, refuseField } from '#platform/refusal.ts';
import type { PlannedAnswer, PolicyState } from '#platform/snapshot-state.ts';
import { later, type PortalTime } from '#platform/times.ts';
import { type Phone, requireLostPhone, requireOrgCode, requirePhone } from './find-phone.ts';
import { answerAsPhone, openCodeAsPhone } from './phone.ts';

/** Maximum number of policies. A longer list is probably a bug in the test. */
const POLICIES_MAX = 200;
/** Maximum number of listed responses. */
const ANSWERED_MAX = 200;

interface Answered {
  challengeId: string;
  kind: string;
  zid: string;
  at: string;
  policy: PhonePolicy;
  result: PhoneAnswer;
}

/** Policies that let simulated phones respond automatically. */
export interface Policies {
  /**
   * Adds a policy. Replaces a policy with the same match.
   * @throws Refusal as `requirePhone` and `requireOrgCode`
   */
  set(policy: PhonePolicy): void;
  list(): { policies: PhonePolicy[]; answered: Answered[] };
  clear(): void;
  /**
   * Removes the policy with exactly this match. Its past responses stay listed. Does nothing if the match is valid
   * but no policy has it.
   * @throws Refusal as `requirePhone` and `requireOrgCode` if no policy has this match and it names something unknown
   */
  remove(match: PolicyMatch): void;
  /** Returns the policies that have not answered any request. */
  unused(): readonly PhonePolicy[];
  /** Exempts an application sign-in from policies, because its sender answers it. */
  exempt(appLoginId: string): void;
  /** Returns the state to be stored in a snapshot. */
  kept(): PolicyState;
  /** Replaces all policies and clears the list of past responses. */
  restore(state: PolicyState): void;
  /**
   * Runs lab work whose requests are exempt from policies. Other requests that start meanwhile are handled
   * afterwards.
   */
  during<T>(work: () => Promise<T>): Promise<T>;
  /** Returns the time of the next planned answer, or undefined if there is none. */
  nextAnswer(): PortalTime | undefined;
  /** Resolves once the phones have made all calls that are due. */
  settled(): Promise<void>;
}

/** Returns a policy's specificity. The most specific policy is tried first. */
const weight = ({ match: { zid, email, kind, org } }: PhonePolicy): number =>
  (zid ? 8 : 0) + (email ? 4 : 0) + (org ? 2 : 0) + (kind ? 1 : 0);

/**
 * Returns the device that responds: the device that opened the code, or a device of the person whom the request is
 * for.
 */
export function findPhoneOf(
  { db }: Pick<Deps, 'db'>,
  { match }: PhonePolicy,
  { orgCode, suid, zid = null }: { orgCode: string; suid: string | null; zid?: string | null },
): Phone | undefined {
  const phones = virtualDeviceRepo.listVirtualDevices(db, { orgCode, email: match.email, zid: zid ?? match.zid });
  const isMeant = ({ device }: Phone) =>
    (match.zid === undefined || device.zid === match.zid) && (suid === null || device.suid === suid);
  return phones.find((phone) => phone.device.type === 'mobile' && isMeant(phone)) ?? phones.find(isMeant);
}

export function createPolicies(app: FastifyInstance, deps: Deps): Policies {
  const { db, clock, bus, log } = deps;
  let policies: PhonePolicy[] = [];
  let answered: Answered[] = [];
  const met = new Set<string>();
  /** IDs of application sign-ins that policies don't answer. */
  const exempt = new Set<string>();
  /** Policies that have not answered any request. */
  let unused: PhonePolicy[] = [];
  const planned = new Map<PlannedAnswer, { at: PortalTime; cancel: () => void }>();
  /** Calls that phones are making now. */
  const calling = new Set<Promise<void>>();
  let stopListening: (() => void) | undefined;
  /** Number of pending lab calls. */
  let own = 0;

  app.addHook('preClose', async () => clear());

  // A hint names the member who signs in. Without a hint, only one member must be possible.
  deps.willScan = (signIn) => {
    const suids = new Set(policies.flatMap((policy) => scannerFor(policy, signIn)?.device.suid ?? []));
    return signIn.loginHint === '' ? suids.size === 1 : suids.has(hintedSuid(signIn) ?? '');
  };

  function clear(): void {
    stopListening?.();
    stopListening = undefined;
    for (const { cancel } of planned.values()) cancel();
    planned.clear();
    met.clear();
    exempt.clear();
    policies = [];
    unused = [];
    answered = [];
  }

  const failed = (reason: unknown) => log.error(reason, "couldn't answer as a phone");

  /** Applies the first matching policy to each new request. */
  function look(): void {
    if (own > 0) return;
    for (const challenge of challengeRepo.listOpenChallenges(db, clock.now())) {
      if (challenge.kind === 'add-device' || met.has(challenge.id) || exempt.has(challenge.appLoginId ?? '')) continue;
      for (const policy of inOrderFor(challenge)) {
        const phone = fits(policy, challenge) && findPhoneOf(deps, policy, challenge);
        if (!phone) continue;
        met.add(challenge.id);
        use(policy);
        begin({ challengeId: challenge.id, policy, phone }, challenge, policy.afterMs);
        break;
      }
    }
  }

  /** Returns the phone that scans the code of an application sign-in. */
  function scannerFor(policy: PhonePolicy, { orgCode }: { orgCode: string }): Phone | undefined {
    const { match, opens } = policy;
    const isMatch = (match.kind ?? 'app-login') === 'app-login' && (match.org ?? orgCode) === orgCode;
    return opens && isMatch ? findPhoneOf(deps, policy, { orgCode, suid: null }) : undefined;
  }

  /** Returns the ID of the member whom an application expects to sign in. */
  function hintedSuid({ orgCode, loginHint }: { orgCode: string; loginHint: string }): string | undefined {
    return findPushRecipient(db, { orgCode }, loginHint, () => true).suid || undefined;
  }

  /** Returns the policies in the order in which they are tried: first those of the member whom an application expects. */
  function inOrderFor({ appLoginId, suid, zid }: challengeRepo.ChallengeRow): readonly PhonePolicy[] {
    const signIn =
      appLoginId === null || suid !== null || zid !== null ? undefined : appLoginRepo.findAppSignIn(db, appLoginId);
    const hinted = signIn && hintedSuid(signIn);
    if (!signIn || hinted === undefined) return policies;
    const isHinted = (policy: PhonePolicy) => scannerFor(policy, signIn)?.device.suid === hinted;
    return [...policies.filter(isHinted), ...policies.filter((policy) => !isHinted(policy))];
  }

  function fits({ match, opens, answer, lie }: PhonePolicy, challenge: challengeRepo.ChallengeRow): boolean {
    if (challenge.kind === 'test' && (answer === 'deny' || lie)) return false;
    if (match.kind !== undefined && match.kind !== challenge.kind) return false;
    if (match.org !== undefined && match.org !== challenge.orgCode) return false;
    return challenge.suid !== null || challenge.zid !== null || opens === true;
  }

  function use(policy: PhonePolicy): void {
    unused = unused.filter((one) => one !== policy);
    if (policy.times === undefined) return;
    const times = policy.times - 1;
    policies = policies.flatMap((one) => (one !== policy ? [one] : times > 0 ? [{ ...one, times }] : []));
  }

  /** Schedules a planned response. @param afterMs delay by the portal's clock */
  function begin(plan: PlannedAnswer, challenge: challengeRepo.ChallengeRow, afterMs: number): void {
    const { policy, phone } = plan;
    // The person opens the request some time before responding, or without responding.
    const looks = policy.opens && (policy.answer === 'ignore' || afterMs > 0);
    const looking = looks ? openCodeAsPhone(app, deps, phone, challenge).catch(failed) : Promise.resolve();
    const respond = () => {
      const call = looking
        .then(() => answer(plan))
        .catch(failed)
        .finally(() => {
          planned.delete(plan);
          calling.delete(call);
        });
      calling.add(call);
    };
    const at = later(clock.now(), afterMs);
    planned.set(plan, { at, cancel: clock.at(at, respond) });
  }

  async function answer(plan: PlannedAnswer): Promise<void> {
    const { challengeId, policy, phone } = plan;
    const { device } = phone;
    const challenge = challengeRepo.findChallenge(db, device.orgCode, challengeId);
    if (!challenge || !planned.has(plan) || policy.answer === 'ignore') return;
    const result = await answerAsPhone(app, deps, phone, challenge, { ...policy, answer: policy.answer }).catch(
      (reason: unknown): PhoneAnswer => {
        if (!(reason instanceof Refusal)) throw reason;
        return { resultCode: -1, resultName: reason.result, message: reason.message };
      },
    );
    // If the plan is gone, a reset has started a new world, to which this response doesn't belong.
    if (!planned.has(plan)) return;
    const { orgCode, zid } = device;
    const { lie } = policy;
    const { resultName } = result;
    const email = phone.member.primaryEmail;
    deps.journal.record({ kind: 'policy', zid, email, orgCode, answer: policy.answer, lie, resultName });
    const done = { challengeId, kind: challenge.kind, zid: device.zid, at: clock.iso(), policy, result };
    answered = [done, ...answered].slice(0, ANSWERED_MAX);
  }

  /**
   * Rejects a match that names an unknown person, device or organisation.
   * @param at prefix of the match's fields in the request
   * @throws Refusal as `requirePhone` and `requireOrgCode`; INVALID_REQUEST if the device belongs to another person
   */
  function requireKnown({ email, zid, org }: PolicyMatch, at = ''): void {
    if (org !== undefined) requireOrgCode(deps, `${at}org`, org);
    if (email !== undefined) requirePhone(deps, `${at}email`, email, org);
    if (zid === undefined) return;
    const { primaryEmail } = requirePhone(deps, `${at}zid`, zid, org).member;
    if (email === undefined || email === primaryEmail) return;
    const message = `${zid} is a device of ${primaryEmail}, not of ${email}. Omit one of them.`;
    refuseField(`${at}zid`, message);
  }

  /**
   * Rejects an impossible lie, which would look like an ignored request.
   * @throws Refusal as `requireLostPhone`
   */
  function requireLie({ match: { email, zid, org }, lie }: PhonePolicy): void {
    if (lie !== 'lost-device') return;
    const phones = virtualDeviceRepo.listVirtualDevices(db, { orgCode: org, email, zid });
    const orgCodes = new Set([...(org === undefined ? [] : [org]), ...phones.map(({ device }) => device.orgCode)]);
    if (orgCodes.size === 0) requireLostPhone(deps, undefined);
    for (const orgCode of orgCodes) requireLostPhone(deps, orgCode);
  }

  return {
    set(policy) {
      requireKnown(policy.match, 'match.');
      requireLie(policy);
      const others = policies.filter(({ match }) => !isDeepStrictEqual(match, policy.match));
      if (others.length >= POLICIES_MAX) {
        const message = `${POLICIES_MAX} policies are already set. Remove them with DELETE /api/lab/policies.`;
        throw new Refusal('INVALID_REQUEST', { status: 409, message });
      }
      unused = [...unused.filter((one) => others.includes(one)), policy];
      policies = [...others, policy].sort((a, b) => weight(b) - weight(a));
      stopListening ??= bus.listen([TOPIC.requests], look);
      // Include requests that are already pending, because a test may set its policy after starting a sign-in.
      look();
    },
    list: () => ({ policies, answered }),
    clear,
    unused: () => unused,
    exempt: (appLoginId) => void exempt.add(appLoginId),
    remove(match) {
      const left = policies.filter((policy) => !isDeepStrictEqual(policy.match, match));
      // The policy may simply be used up, but a misspelt match must not go unnoticed.
      if (left.length === policies.length) requireKnown(match);
      policies = left;
      unused = unused.filter((one) => left.includes(one));
    },
    kept: () => ({
      policies,
      met: [...met],
      planned: [...planned].map(([plan, { at }]) => ({ ...plan, afterMs: Math.max(0, at - clock.now()) })),
    }),
    restore(state) {
      clear();
      policies = [...state.policies];
      unused = [...state.policies];
      for (const challengeId of state.met) met.add(challengeId);
      const open = challengeRepo.listOpenChallenges(db, clock.now());
      for (const { afterMs, ...plan } of state.planned) {
        const challenge = open.find(({ id }) => id === plan.challengeId);
        if (challenge) begin(plan, challenge, afterMs);
      }
      if (policies.length === 0) return;
      stopListening = bus.listen([TOPIC.requests], look);
      look();
    },
    nextAnswer: () => [...planned.values()].map(({ at }) => at).sort((a, b) => a - b)[0],
    async settled() {
      while (calling.size > 0) await Promise.all(calling);
    },
    async during(work) {
      own += 1;
      try {
        return await work();
      } finally {
        own -= 1;
        if (policies.length > 0) look();
      }
    },
  };
}
