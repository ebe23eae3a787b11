import {
  activationCodeRepo,
  invitationRepo,
  memberBulkRepo,
  memberNumber,
  type organisationRepo,
  outboxRepo,
  type Tx,
} from '@orchestrate/db';
import { type AppType, DAY, HOUR, LIMITS, SECOND } from '@orchestrate/shared';
import { isAllowedDomain } from '#core/members/allowed-domain.ts';
import type { Deps } from '#deps.ts';
import { hashSecret } from '#platform/adapters/secrets.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { messageRow } from '#platform/mails/write-message.ts';
import { type AddressedRow, type InviteRow, readAddress, withDerivedName } from './invite-row.ts';
import type { InviteTally } from './invite-tally.ts';
import type { CheckOptions, InviteOptions } from './judge-invitee.ts';
import { MemberNumbers } from './member-numbers.ts';
import { type BatchFacts, noEarlierRows, type PlannedInvite, planInvites } from './plan-invites.ts';

/** A batch of people to invite, with options. */
export interface InviteBatch {
  organisation: organisationRepo.OrganisationRow;
  options: InviteOptions;
  rows: readonly InviteRow[];
  /** Suid of the inviting member, or null if the inviter isn't a member. */
  invitedBy: string | null;
  /** Runs in the same transaction, once the invitations have been written. */
  onWritten: (tx: Tx, written: readonly SavedInvite[]) => void;
  /** Members invited by earlier batches. This batch adds the members it invites. Absent if there is only one batch. */
  invited?: MemberNumbers;
}

/** A person whose invitation has been saved. */
export interface SavedInvite {
  suid: string;
  email: string;
  firstName: string;
  /** Empty for people who were already members. */
  lastName: string;
  isNew: boolean;
}

/**
 * Invites the people in a batch of rows in one transaction. Members, codes, links and emails are written together or
 * not at all. Never awaits between reading and writing, because there is only one connection.
 */
export function inviteBatch(
  deps: Deps,
  { organisation, options, rows, invitedBy, onWritten, invited = new MemberNumbers() }: InviteBatch,
  tally: InviteTally,
): void {
  const addressed = readRows(rows, options);
  const earlier = noEarlierRows(invited);
  const invites = planInvites(
    addressed,
    readInviteFacts(deps, organisation, options, addressed),
    options,
    tally,
    earlier,
  );
  if (invites.length === 0) return;
  const created = createInvites(deps, { organisation, type: options.type, invitedBy }, invites);
  const firstNew = deps.db.transaction((tx) => {
    const entry = { accountStatus: 'invited' as const, now: deps.clock.now() };
    const first = memberBulkRepo.insertMembers(tx, organisation.orgCode, created.members, entry);
    writeInvitations(deps, tx, created);
    onWritten(tx, created.written);
    return first;
  });
  let next = firstNew;
  for (const { id = next++ } of invites) invited.add(memberNumber(id));
  tally.invited += invites.length;
  tally.created += created.members.length;
  if (created.mails.length > 0) deps.bus.changed(TOPIC.outbox);
}

/**
 * Writes codes, links and emails, and updates the status of unregistered members. Signal `TOPIC.outbox` after the
 * commit.
 */
export function writeInvitations(
  { clock }: Deps,
  tx: Tx,
  { invitation: { organisation, type }, mailedBefore, codes, links, mails, written }: Omit<NewInvites, 'members'>,
): void {
  activationCodeRepo.issueActivationCodes(tx, codes);
  invitationRepo.closeInvitations(tx, organisation.orgCode, mailedBefore, { type, now: clock.now() });
  invitationRepo.insertInvitations(tx, links);
  outboxRepo.insertOutboxMessages(tx, mails);
  const known = written.flatMap(({ suid, isNew }) => (isNew ? [] : [suid]));
  invitationRepo.markInvited(tx, organisation.orgCode, known);
}

/** Normalises the address in each row, and derives missing names if unknown people become members. */
export const readRows = (rows: readonly InviteRow[], { addNew }: Pick<InviteOptions, 'addNew'>): AddressedRow[] =>
  rows.map((row) => (addNew ? withDerivedName(readAddress(row)) : readAddress(row)));

/** Reads the facts needed to judge the rows. */
export function readInviteFacts(
  { db, clock }: Deps,
  organisation: organisationRepo.OrganisationRow,
  { type = 'mobile' }: CheckOptions,
  rows: readonly AddressedRow[],
): BatchFacts {
  const { orgCode } = organisation;
  const emails = rows.flatMap(({ email }) => email ?? []);
  const settings = { type, now: clock.now(), triesAllowed: LIMITS.activationCodeTries };
  const known = new Map(
    invitationRepo.findInvitees(db, orgCode, emails, settings).map((invitee) => [invitee.primaryEmail, invitee]),
  );
  const attrs = rows.flatMap(({ row: { primaryAttr } }) => primaryAttr || []);
  return {
    known,
    takenAttrs: new Set(invitationRepo.listTakenPrimaryAttrs(db, orgCode, attrs)),
    isAllowed: (email) => isAllowedDomain(email, organisation),
  };
}

/** Fields shared by all invitations in a batch. */
interface Invitation {
  organisation: organisationRepo.OrganisationRow;
  type: AppType;
  /** Suid of the inviting member, or null if the inviter isn't a member. */
  invitedBy: string | null;
}

/** Database rows to write. */
interface NewInvites {
  invitation: Invitation;
  /** Members who are emailed a link and may have received earlier links. */
  mailedBefore: string[];
  members: memberBulkRepo.BulkMember[];
  codes: Parameters<typeof activationCodeRepo.issueActivationCodes>[1][number][];
  links: invitationRepo.NewInvitation[];
  mails: outboxRepo.NewOutboxMessage[];
  written: SavedInvite[];
}

/** Creates the codes, links and emails for invitations, and the members for unknown people. */
export function createInvites(deps: Deps, invitation: Invitation, invites: readonly PlannedInvite[]): NewInvites {
  const { random, clock, publicUrl } = deps;
  const { organisation, type, invitedBy } = invitation;
  const { orgCode, activationLinkDelayHours, mailLanguage } = organisation;
  const now = clock.now();
  const codeExpiresAt = now + LIMITS.activationCodeLifetimeSeconds * SECOND;
  const validFrom = now + activationLinkDelayHours * HOUR;
  const expiresAt = validFrom + LIMITS.invitationLifetimeDays * DAY;
  const created: NewInvites = {
    invitation,
    mailedBefore: [],
    members: [],
    codes: [],
    links: [],
    mails: [],
    written: [],
  };

  for (const { suid = random.idAt(now), email, firstName, newMemberRow, needsCode, ...mailed } of invites) {
    created.written.push({
      suid,
      email,
      firstName,
      lastName: newMemberRow?.lastName ?? '',
      isNew: newMemberRow !== undefined,
    });
    if (newMemberRow) {
      const { lastName, primaryAttr } = newMemberRow;
      created.members.push({ suid, primaryAttr, firstName, lastName, primaryEmail: email });
    }
    if (needsCode) {
      const code = random.digits(LIMITS.activationCodeLength);
      const isOwn = invitedBy === suid;
      created.codes.push({ orgCode, suid, type, code, expiresAt: codeExpiresAt, issuedAt: now, isOwn });
    }
    if (!mailed.needsMail) continue;
    const token = random.secret();
    const times = { validFrom, expiresAt, invitedAt: now };
    created.links.push({ hash: hashSecret(token), orgCode, suid, type, email, invitedBy, ...times });
    if (!newMemberRow) created.mailedBefore.push(suid);
    const link = `${publicUrl}/api/user/activate?token=${token}`;
    const facts = { firstName, type, link, validFrom, expiresAt };
    const language = mailed.language ?? mailLanguage;
    const message = { orgCode, to: email, language, template: 'invitation', facts, secretFor: suid } as const;
    created.mails.push(messageRow(deps, message));
  }
  return created;
}
