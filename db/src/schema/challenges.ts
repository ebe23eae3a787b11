import type { AppType, DeviceDescription, LoginMode, PublicKey, ResultName } from '@orchestrate/shared';
import { index, sql, sqliteTable, text, uniqueIndex } from '#drizzle';
import { json, time } from './columns.ts';
import { organisations } from './organisations.ts';

export type ChallengeKind = 'login' | 'app-login' | 'verbal' | 'test' | 'add-device' | 'approval';
/** Expiry is never stored. A pending row is expired once `expiresAt` has passed. */
export type ChallengeStatus = 'pending' | 'approved' | 'denied' | 'cancelled';

/** A device that has connected with an add-device code and is waiting for the member to confirm it in the portal. */
export interface PairingRequest {
  pairingId: string;
  device: DeviceDescription;
  publicKey: PublicKey;
  thumbprint: string;
  /** Two characters; only for a typed code. */
  verificationCode?: string;
}

/**
 * Challenges for sign-in, application sign-in, caller authentication, device tests, adding a device and approvals.
 * All start as pending and end as approved, denied or cancelled.
 */
export const challenges = sqliteTable(
  'challenges',
  {
    id: text().primaryKey(),
    orgCode: text()
      .notNull()
      .references(() => organisations.orgCode),
    kind: text().$type<ChallengeKind>().notNull(),
    mode: text().$type<LoginMode>().notNull(),
    status: text().$type<ChallengeStatus>().notNull().default('pending'),
    /** Code contained in the QR code. */
    qid: text(),
    /** Code for the member to type. */
    did: text(),
    /** Member the challenge is for, known from the start (push, test, add device) or once a device has answered. */
    suid: text(),
    /** Add device: the app to be added. */
    appType: text().$type<AppType>(),
    appName: text(),
    /** Application sign-in: ID of the pending sign-in. */
    appLoginId: text(),
    /** The device that opened or answered the challenge. */
    zid: text(),
    deviceName: text(),
    matchNumber: text(),
    numberChoices: json<string[]>(),
    requesterIp: text().notNull(),
    requesterAgent: text().notNull(),
    requesterName: text(),
    /** Caller authentication: the staff member verifying the caller. */
    requesterSuid: text(),
    epoch: text(),
    pairing: json<PairingRequest>(),
    pairingId: text(),
    /** The reason for a denied or cancelled challenge. */
    resultCode: text().$type<ResultName>(),
    createdAt: time().notNull(),
    expiresAt: time().notNull(),
    resolvedAt: time(),
    answeredAt: time(),
    /** Time at which the approved sign-in was exchanged for tokens or the approval was used. */
    exchangedAt: time(),
    /** Push: the username entered in the browser, in lower case, whether or not the user exists (decision 144). */
    askedFor: text(),
    /** Approval: the action to approve. */
    action: text(),
    statement: text(),
    contentHash: text(),
    /** Push: the requesting network (`networkOf`). */
    network: text(),
    /** The requesting browser, as in `sessions.browser`; null if the browser sent no cookie. */
    browser: text(),
  },
  (table) => [
    uniqueIndex('challenges_qid').on(table.qid),
    uniqueIndex('challenges_did').on(table.did, table.orgCode),
    uniqueIndex('challenges_pairing').on(table.pairingId),
    index('challenges_waiting').on(table.suid, table.orgCode, table.status, table.expiresAt),
    index('challenges_requester')
      .on(table.requesterSuid, table.epoch, table.orgCode)
      .where(sql`${table.requesterSuid} IS NOT NULL`),
    index('challenges_asked_for')
      .on(table.askedFor, table.orgCode, table.network, table.expiresAt)
      .where(sql`${table.askedFor} IS NOT NULL`),
    index('challenges_expiry').on(table.expiresAt),
  ],
);
