import type { AppType, DeviceDescription, LoginMode, PublicKey, ResultName } from '@orchestrate/shared';
import { sql } from 'drizzle-orm';
import { index, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { json, time } from './columns.ts';
import { organisations } from './organisations.ts';

export type ChallengeKind = 'login' | 'app-login' | 'verbal' | 'test' | 'add-device' | 'approval';
/** Expiry is never written: a pending row whose `expiresAt` has passed is expired. */
export type ChallengeStatus = 'pending' | 'approved' | 'denied' | 'cancelled';

/** A device that has connected with an add-device code and is waiting for the person's confirmation in the portal. */
export interface PairingRequest {
  pairingId: string;
  device: DeviceDescription;
  publicKey: PublicKey;
  thumbprint: string;
  /** Two characters, where the code was typed. */
  verificationCode?: string;
}

/**
 * The one lifecycle behind sign-in, app sign-in, verbal, test and add device: pending → approved | denied | cancelled.
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
    /** The scanned code. */
    qid: text(),
    /** The typed code. */
    did: text(),
    /** The person it is for: known from the start (push, test, add device) or once a device has answered. */
    suid: text(),
    /** Add device: the app to add. */
    appType: text().$type<AppType>(),
    appName: text(),
    /** The sign-in under way, where it is one to an application. */
    appLoginId: text(),
    /** The device that opened or answered it. */
    zid: text(),
    deviceName: text(),
    matchNumber: text(),
    numberChoices: json<string[]>(),
    requesterIp: text().notNull(),
    requesterAgent: text().notNull(),
    requesterName: text(),
    /** Verbal: the member of staff who verifies a caller, and the name of this request on the channel. */
    requesterSuid: text(),
    epoch: text(),
    pairing: json<PairingRequest>(),
    pairingId: text(),
    /** Result code that explains a denied or cancelled one. */
    resultCode: text().$type<ResultName>(),
    createdAt: time().notNull(),
    expiresAt: time().notNull(),
    resolvedAt: time(),
    answeredAt: time(),
    /** When the approved sign-in was exchanged for tokens, or the approval was used. */
    exchangedAt: time(),
    /** Push: the person as named in the browser, lower case, whether or not they exist (decision 144). */
    askedFor: text(),
    /** Approval: the action, what the device shows as approved, and SHA-256 of exactly what is to be done. */
    action: text(),
    statement: text(),
    contentHash: text(),
    /** Push: the network that requested it (`networkOf`). */
    network: text(),
    /** The browser that requested it, as `sessions.browser` names it; null if it sent no cookie. */
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
