import { challengeRepo, type Tx } from '@orchestrate/db';
import { type CodeKind, LIMITS, SECOND } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { TOPIC } from '#platform/live/bus.ts';

/** Origin of a request, displayed on the device that answers it. */
export interface Requester {
  ip: string;
  userAgent: string;
  /** The browser's key, as returned by `browserOf`. */
  browser?: string | undefined;
  fullName?: string;
  /** The member who starts the request, if it is about another member. */
  suid?: string;
}

/** A challenge to start. `codes` lists the kinds of code a device can open it with. */
export interface ChallengeOptions
  extends Pick<
    challengeRepo.NewChallenge,
    | 'orgCode'
    | 'kind'
    | 'mode'
    | 'suid'
    | 'zid'
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

/** Creates a pending challenge with new codes. It expires after `lifetimeSeconds`. */
export function beginChallenge(
  { random, clock, bus, journal }: Deps,
  tx: Tx,
  { codes, lifetimeSeconds, requester, ...fields }: ChallengeOptions,
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
  // Record the challenge after the commit, before a device can open it.
  if (journal.isOn) {
    const { kind: challengeKind, suid = null, orgCode } = challenge;
    tx.afterCommit(() => journal.record({ kind: 'challenge', challengeKind, state: 'begun', suid, orgCode }));
  }
  // Only the lab subscribes to all requests, so skip the notification if it doesn't.
  if (bus.listeners(TOPIC.requests) > 0) tx.afterCommit(() => bus.changed(TOPIC.requests));
  return challenge;
}

/**
 * Generates codes until one is unused. Codes have only eight characters, so they repeat over an installation's
 * lifetime.
 */
function freshTypedCode(random: Deps['random'], tx: Tx, orgCode: string): string {
  for (;;) {
    const did = random.typedCode(LIMITS.typedCodeLength);
    if (!challengeRepo.findChallengeByDid(tx, orgCode, did)) return did;
  }
}
