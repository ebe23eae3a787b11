import type { AppType, DeviceDescription, LoginMode, PublicKey, ResultName } from '@orchestrate/shared';
import { sql } from 'drizzle-orm';
import { index, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { json, time } from './columns.ts';
import { organisations } from './organisations.ts';

export type ChallengeKind = 'login' | 'app-login' | 'verbal' | 'test' | 'add-device' | 'approval';
/** Expiry is never written: a pending row whose `expiresAt` has passed is expired. */
export type ChallengeStatus = 'pending' | 'approved' | 'denied' | 'cancelled';

/** A device that has connected with an add-device code and waits for the member's confirmation in the portal. */
export interface PairingRequest {
  pairingId: string;
  device: DeviceDescription;
  publicKey: PublicKey;
  thumbprint: string;
  /** Two characters, if the code was typed. */
  verificationCode?: string;
}

/**
 * The lifecycle shared by sign-in, app sign-in, caller authentication, device test and add device: pending → approved
 * denied
 * cancelled.
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
    /** Scanned code. */
    qid: text(),
    /** Typed code. */
    did: text(),
    /** The member it is for: known from the start (push, test, add device) or once a device has answered. */
    suid: text(),
    /** Add device: the app to add. */
    appType: text().$type<AppType>(),
    appName: text(),
    /** The pending sign-in, for sign-ins to an application. */
    appLoginId: text(),
    /** The device that opened or answered it. */
    zid: text(),
    deviceName: text(),
    matchNumber: text(),
    numberChoices: json<string[]>(),
    requesterIp: text().notNull(),
    requesterAgent: text().notNull(),
    requesterName: text(),
    /** Caller authentication: the staff member who verifies a caller, and the name of this request on the channel. */
    requesterSuid: text(),
    epoch: text(),
    pairing: json<PairingRequest>(),
    pairingId: text(),
    /** Result that explains a denied or cancelled challenge. */
    resultCode: text().$type<ResultName>(),
    createdAt: time().notNull(),
    expiresAt: time().notNull(),
    resolvedAt: time(),
    answeredAt: time(),
    /** Time at which the approved sign-in was exchanged for tokens, or the approval was used. */
    exchangedAt: time(),
    /** Push: the user as named in the browser, in lower case, whether or not they exist (decision 144). */
    askedFor: text(),
    /** Approval: the action, the statement that the device shows, and the SHA-256 of the exact content. */
    action: text(),
    statement: text(),
    contentHash: text(),
    /** Push: the network that requested it (`networkOf`). */
    network: text(),
    /** The browser that requested it, as in `sessions.browser`; null if it sent no cookie. */
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
