import { isDeepStrictEqual } from 'node:util';
import { challengeRepo, virtualDeviceRepo } from '@orchestrate/db';
import type { PhoneAnswer, PhonePolicy, PolicyMatch } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#deps.ts';
import { machineNow } from '#platform/adapters/clock.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { Refusal } from '#platform/refusal.ts';
import type { PlannedAnswer, PolicyState } from '#platform/snapshot-state.ts';
import { later, type MachineTime } from '#platform/times.ts';
import { type Phone, requireLostPhone, requireOrgCode, requirePhone } from './find-phone.ts';
import { answerAsPhone, openAsPhone } from './phone.ts';

/** Maximum number of policies; a longer list would be a mistake of the caller. */
const POLICIES_MAX = 200;
/** Maximum number of listed answers. */
const ANSWERED_MAX = 200;

interface Answered {
  challengeId: string;
  kind: string;
  zid: string;
  at: string;
  policy: PhonePolicy;
  result: PhoneAnswer;
}

/** Policies by which simulated phones answer automatically. */
export interface Policies {
  /** @throws Refusal as `requirePhone` and `requireOrgCode` */
  set(policy: PhonePolicy): void;
  list(): { policies: PhonePolicy[]; answered: Answered[] };
  clear(): void;
  /**
   * Removes the policy with exactly this match, if there is one; its answers stay listed.
   * @throws Refusal as `requirePhone` and `requireOrgCode` if there is none
   */
  remove(match: PolicyMatch): void;
  /** For a snapshot. */
  kept(): PolicyState;
  /** Replaces all policies; what has been answered is forgotten. */
  restore(kept: PolicyState): void;
  /** Runs lab work whose requests no policy answers; other requests that start meanwhile are answered afterwards. */
  during<T>(work: () => Promise<T>): Promise<T>;
}

/** Weight of a policy: the most specific one is tried first. */
const weight = ({ match: { zid, email, kind, org } }: PhonePolicy): number =>
  (zid ? 8 : 0) + (email ? 4 : 0) + (org ? 2 : 0) + (kind ? 1 : 0);

export function createPolicies(app: FastifyInstance, deps: Deps): Policies {
  const { db, clock, bus, log } = deps;
  let policies: PhonePolicy[] = [];
  let answered: Answered[] = [];
  const met = new Set<string>();
  const planned = new Map<PlannedAnswer, { at: MachineTime; timer: NodeJS.Timeout }>();
  let stopListening: (() => void) | undefined;
  /** Number of pending lab calls. */
  let own = 0;

  app.addHook('preClose', async () => clear());

  function clear(): void {
    stopListening?.();
    stopListening = undefined;
    for (const { timer } of planned.values()) clearTimeout(timer);
    planned.clear();
    met.clear();
    policies = [];
    answered = [];
  }

  const failed = (reason: unknown) => log.error(reason, "couldn't answer as a phone");

  /** Matches every new request with the first fitting policy. */
  function look(): void {
    if (own > 0) return;
    for (const challenge of challengeRepo.listOpenChallenges(db, clock.now())) {
      if (challenge.kind === 'add-device' || met.has(challenge.id)) continue;
      for (const policy of policies) {
        const phone = fits(policy, challenge) && phoneFor(policy, challenge);
        if (!phone) continue;
        met.add(challenge.id);
        use(policy);
        begin({ challengeId: challenge.id, policy, phone }, challenge, policy.afterMs);
        break;
      }
    }
  }

  function fits({ match, opens, answer, lie }: PhonePolicy, challenge: challengeRepo.ChallengeRow): boolean {
    if (challenge.kind === 'test' && (answer === 'deny' || lie)) return false;
    if (match.kind !== undefined && match.kind !== challenge.kind) return false;
    if (match.org !== undefined && match.org !== challenge.orgCode) return false;
    return challenge.suid !== null || challenge.zid !== null || opens === true;
  }

  /**
   * Returns the device that answers: the one that has opened the code, or one of the person whom the request is for.
   */
  function phoneFor({ match }: PhonePolicy, { orgCode, suid, zid }: challengeRepo.ChallengeRow): Phone | undefined {
    const phones = virtualDeviceRepo.listVirtualDevices(db, { orgCode, email: match.email, zid: zid ?? match.zid });
    const isMeant = ({ device }: Phone) =>
      (match.zid === undefined || device.zid === match.zid) && (suid === null || device.suid === suid);
    return phones.find((phone) => phone.device.type === 'mobile' && isMeant(phone)) ?? phones.find(isMeant);
  }

  function use(policy: PhonePolicy): void {
    if (policy.times === undefined) return;
    const times = policy.times - 1;
    policies = policies.flatMap((one) => (one !== policy ? [one] : times > 0 ? [{ ...one, times }] : []));
  }

  /** @param afterMs real time, because phones answer even while the portal's clock is frozen */
  function begin(plan: PlannedAnswer, challenge: challengeRepo.ChallengeRow, afterMs: number): void {
    const { policy, phone } = plan;
    // The person looks at it before the answer, or instead of one.
    const looks = policy.opens && (policy.answer === 'ignore' || afterMs > 0);
    const looking = looks ? openAsPhone(app, deps, phone, challenge).catch(failed) : Promise.resolve();
    const goOn = () =>
      looking
        .then(() => answer(plan))
        .catch(failed)
        .finally(() => planned.delete(plan));
    planned.set(plan, { at: later(machineNow(), afterMs), timer: setTimeout(goOn, afterMs) });
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
    // What was done in a world that a reset has ended is nothing to the next.
    if (!planned.has(plan)) return;
    const { orgCode, zid } = device;
    const { lie } = policy;
    const { resultName } = result;
    const email = phone.member.primaryEmail;
    deps.journal.record({ kind: 'policy', zid, email, orgCode, answer: policy.answer, lie, resultName });
    const done = { challengeId, kind: challenge.kind, zid: device.zid, at: clock.iso(), policy, result };
    answered = [done, ...answered].slice(0, ANSWERED_MAX);
  }

  /** @throws Refusal as `requirePhone` and `requireOrgCode`; INVALID_REQUEST for a device of another person */
  function requireKnown({ email, zid, org }: PolicyMatch): void {
    if (org !== undefined) requireOrgCode(deps, org);
    if (email !== undefined) requirePhone(deps, email, org);
    if (zid === undefined) return;
    const { primaryEmail } = requirePhone(deps, zid, org).member;
    if (email === undefined || email === primaryEmail) return;
    const message = `${zid} is a device of ${primaryEmail}, not of ${email}: omit one of them.`;
    throw new Refusal('INVALID_REQUEST', { message, issues: [{ path: 'match.zid', message }] });
  }

  /** Refuses an impossible lie, which would look like an ignored request. @throws Refusal as `requireLostPhone` */
  function requireLie({ match: { email, zid, org }, lie }: PhonePolicy): void {
    if (lie !== 'lost-device') return;
    const phones = virtualDeviceRepo.listVirtualDevices(db, { orgCode: org, email, zid });
    const orgCodes = new Set([...(org === undefined ? [] : [org]), ...phones.map(({ device }) => device.orgCode)]);
    if (orgCodes.size === 0) requireLostPhone(deps, undefined);
    for (const orgCode of orgCodes) requireLostPhone(deps, orgCode);
  }

  return {
    set(policy) {
      requireKnown(policy.match);
      requireLie(policy);
      const others = policies.filter(({ match }) => !isDeepStrictEqual(match, policy.match));
      if (others.length >= POLICIES_MAX) {
        const message = `${POLICIES_MAX} policies are already set. DELETE /api/lab/policies removes them.`;
        throw new Refusal('INVALID_REQUEST', { status: 409, message });
      }
      policies = [...others, policy].sort((a, b) => weight(b) - weight(a));
      stopListening ??= bus.listen([TOPIC.requests], look);
      // Requests that are already pending count too: a test may set its policy after it has started to sign in.
      look();
    },
    list: () => ({ policies, answered }),
    clear,
    remove(match) {
      const left = policies.filter((policy) => !isDeepStrictEqual(policy.match, match));
      // The policy may have been used up; a misspelt match would leave it in force.
      if (left.length === policies.length) requireKnown(match);
      policies = left;
    },
    kept: () => ({
      policies,
      met: [...met],
      planned: [...planned].map(([plan, { at }]) => ({ ...plan, afterMs: Math.max(0, at - machineNow()) })),
    }),
    restore(kept) {
      clear();
      policies = [...kept.policies];
      for (const challengeId of kept.met) met.add(challengeId);
      const open = challengeRepo.listOpenChallenges(db, clock.now());
      for (const { afterMs, ...plan } of kept.planned) {
        const challenge = open.find(({ id }) => id === plan.challengeId);
        if (challenge) begin(plan, challenge, afterMs);
      }
      if (policies.length === 0) return;
      stopListening = bus.listen([TOPIC.requests], look);
      look();
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
