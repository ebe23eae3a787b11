import { challengeRepo, type Tx } from '@orchestrate/db';
import { type CodeKind, LIMITS, SECOND } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { TOPIC } from '#platform/live/bus.ts';

/** The origin of a request, as the answering device displays it. */
export interface Requester {
  ip: string;
  userAgent: string;
  /** See `browserOf`. */
  browser?: string | undefined;
  fullName?: string;
  /** The member who starts it, if the request is about another member. */
  suid?: string;
}

/** A challenge to start. `codes` are the kinds of code that a device can open it with. */
export interface Beginning
  extends Pick<
    challengeRepo.NewChallenge,
    | 'orgCode'
    | 'kind'
    | 'mode'
    | 'suid'
    | 'appType'
    | 'appName'
    | 'appLoginId'
    | 'matchNumber'
    | 'numberChoices'
    | 'epoch'
    | 'askedFor'
    | 'network'
    | 'action'
    | 'statement'
    | 'contentHash'
  > {
  codes: readonly CodeKind[];
  lifetimeSeconds: number;
  requester: Requester;
}

/** Creates a pending challenge with new codes that expires after `lifetimeSeconds`. */
export function beginChallenge(
  { random, clock, bus, journal }: Deps,
  tx: Tx,
  { codes, lifetimeSeconds, requester, ...fields }: Beginning,
): challengeRepo.NewChallenge {
  const now = clock.now();
  const challenge = {
    ...fields,
    id: random.id(),
    qid: codes.includes('QID') ? random.id() : null,
    did: codes.includes('DID') ? freshTypedCode(random, tx, fields.orgCode) : null,
    requesterIp: requester.ip,
    requesterAgent: requester.userAgent,
    requesterName: requester.fullName ?? null,
    requesterSuid: requester.suid ?? null,
    browser: requester.browser ?? null,
    createdAt: now,
    expiresAt: now + lifetimeSeconds * SECOND,
  };
  challengeRepo.insertChallenge(tx, challenge);
  // After the commit, and before a device can open it.
  if (journal.isOn) {
    const { kind: challengeKind, suid = null, orgCode } = challenge;
    tx.afterCommit(() => journal.record({ kind: 'challenge', challengeKind, state: 'begun', suid, orgCode }));
  }
  // Only the lab subscribes to all requests.
  if (bus.listeners(TOPIC.requests) > 0) tx.afterCommit(() => bus.changed(TOPIC.requests));
  return challenge;
}

/** Draws a code until it is unused: with eight characters, codes repeat during the lifetime of an installation. */
function freshTypedCode(random: Deps['random'], tx: Tx, orgCode: string): string {
  for (;;) {
    const did = random.typedCode(LIMITS.typedCodeLength);
    if (!challengeRepo.findChallengeByDid(tx, orgCode, did)) return did;
  }
}
