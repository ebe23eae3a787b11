import {
  activationCodeRepo,
  invitationRepo,
  memberBulkRepo,
  type organisationRepo,
  outboxRepo,
  type Tx,
} from '@orchestrate/db';
import { DAY, HOUR, LIMITS, SECOND } from '@orchestrate/shared';
import { isAllowedDomain } from '../../core/members/allowed-domain.ts';
import type { Deps } from '../../deps.ts';
import { hashSecret } from '../../platform/adapters/hash-secret.ts';
import { TOPIC } from '../../platform/live/bus.ts';
import { messageRow } from '../../platform/mails/write-message.ts';
import { type AddressedRow, type InviteRow, readAddress } from './invite-row.ts';
import type { InviteTally } from './invite-tally.ts';
import type { InviteWish } from './judge-invitee.ts';
import { type BatchFacts, type PlannedInvite, planInvites } from './plan-invites.ts';

/** Whom to invite, and how. */
export interface InviteBatch {
  organisation: organisationRepo.OrganisationRow;
  wish: InviteWish;
  rows: readonly InviteRow[];
  /** Records what is written, in the same transaction. */
  onWritten: (tx: Tx, written: readonly WrittenInvite[]) => void;
}

/** Somebody who has been invited. */
export interface WrittenInvite {
  suid: string;
  email: string;
  firstName: string;
  /** Empty for people who were members already. */
  lastName: string;
  isNew: boolean;
}

/**
 * Invites the people of some rows in one transaction: members, codes, links and mails are written together or not at
 * all. It reads first and then writes without awaiting anything in between: there is only one connection.
 */
export function inviteBatch(
  deps: Deps,
  { organisation, wish, rows, onWritten }: InviteBatch,
  tally: InviteTally,
): void {
  const addressed = rows.map(readAddress);
  const invites = planInvites(addressed, factsOf(deps, organisation, wish, addressed), wish, tally);
  if (invites.length === 0) return;
  const made = make(deps, organisation, wish, invites);
  deps.db.transaction(
    (tx) => {
      const { orgCode } = organisation;
      const entry = { accountStatus: 'unregistered' as const, now: deps.clock.now() };
      memberBulkRepo.enterMembers(tx, orgCode, made.members, entry);
      activationCodeRepo.issueActivationCodes(tx, made.codes);
      invitationRepo.insertInvitations(tx, made.links);
      outboxRepo.insertOutboxMessages(tx, made.mails);
      onWritten(tx, made.written);
    },
    { behavior: 'immediate' },
  );
  tally.invited += invites.length;
  tally.created += made.members.length;
  if (made.mails.length > 0) deps.bus.changed(TOPIC.outbox);
}

function factsOf(
  { db, clock }: Deps,
  organisation: organisationRepo.OrganisationRow,
  { type }: InviteWish,
  rows: readonly AddressedRow[],
): BatchFacts {
  const { orgCode } = organisation;
  const emails = rows.flatMap(({ email }) => email ?? []);
  const asked = { type, now: clock.now(), triesAllowed: LIMITS.activationCodeTries };
  const known = new Map(
    invitationRepo.findInvitees(db, orgCode, emails, asked).map((invitee) => [invitee.primaryEmail, invitee]),
  );
  const attrs = rows.flatMap(({ row: { primaryAttr } }) => primaryAttr || []);
  return {
    known,
    takenAttrs: new Set(invitationRepo.listTakenPrimaryAttrs(db, orgCode, attrs)),
    isAllowed: (email) => isAllowedDomain(email, organisation),
  };
}

/** The rows to be written. */
interface Made {
  members: memberBulkRepo.EnteredMember[];
  codes: Parameters<typeof activationCodeRepo.issueActivationCodes>[1][number][];
  links: invitationRepo.NewInvitation[];
  mails: outboxRepo.NewOutboxMessage[];
  written: WrittenInvite[];
}

function make(
  deps: Deps,
  { orgCode, activationLinkDelayHours }: organisationRepo.OrganisationRow,
  { type }: InviteWish,
  invites: readonly PlannedInvite[],
): Made {
  const { random, clock, publicUrl } = deps;
  const now = clock.now();
  const codeExpiresAt = now + LIMITS.activationCodeLifetimeSeconds * SECOND;
  const validFrom = now + activationLinkDelayHours * HOUR;
  const expiresAt = validFrom + LIMITS.invitationLifetimeDays * DAY;
  const made: Made = { members: [], codes: [], links: [], mails: [], written: [] };

  for (const { suid = random.idAt(now), email, firstName, stranger, needsCode, needsMail } of invites) {
    made.written.push({ suid, email, firstName, lastName: stranger?.lastName ?? '', isNew: stranger !== undefined });
    if (stranger) {
      const { lastName, primaryAttr } = stranger;
      made.members.push({ suid, primaryAttr, firstName, lastName, primaryEmail: email });
    }
    if (needsCode) {
      const code = random.digits(LIMITS.activationCodeLength);
      made.codes.push({ orgCode, suid, type, code, expiresAt: codeExpiresAt, issuedAt: now });
    }
    if (!needsMail) continue;
    const token = random.secret();
    made.links.push({ hash: hashSecret(token), orgCode, suid, type, email, validFrom, expiresAt });
    const link = `${publicUrl}/api/user/activate?token=${token}`;
    const facts = { firstName, type, link, validFrom, expiresAt };
    made.mails.push(messageRow(deps, { orgCode, to: email, template: 'invitation', facts, secretFor: suid }));
  }
  return made;
}
