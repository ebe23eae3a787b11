import { type invitationRepo, memberNumber } from '@orchestrate/db';
import type { Language } from '@orchestrate/shared';
import type { AddressedRow, InviteRow } from './invite-row.ts';
import type { InviteTally } from './invite-tally.ts';
import {
  addressError,
  type CheckOptions,
  type InviteOptions,
  judgeInvitee,
  judgeNewPerson,
  type Verdict,
} from './judge-invitee.ts';
import { MemberNumbers } from './member-numbers.ts';
import { copyText } from './upload-progress.ts';

/** A person to invite in this batch. */
export interface PlannedInvite {
  /** Absent for people who aren't members yet. */
  suid?: string;
  /** Row ID; absent for people who aren't members yet. */
  id?: number;
  email: string;
  firstName: string;
  /** The member's chosen language, or null if they haven't chosen one. */
  language: Language | null;
  needsCode: boolean;
  needsMail: boolean;
  /** Row from which to create a new member. */
  newMemberRow?: InviteRow;
}

/** Facts read before a batch is planned. */
export interface BatchFacts {
  /** Existing members by email address. */
  known: ReadonlyMap<string, invitationRepo.Invitee>;
  /** Primary attributes already in use. */
  takenAttrs: ReadonlySet<string>;
  /** Returns true if the address may join the organisation. */
  isAllowed(email: string): boolean;
}

/** A row with its verdict. */
export interface JudgedRow extends AddressedRow {
  verdict: Verdict;
}

/** Addresses and members that earlier rows claimed. */
export interface EarlierRows {
  /** Addresses in earlier rows that aren't in the database yet, with their line numbers. */
  named: Map<string, number>;
  /** Primary attributes in earlier rows. */
  taken: Set<string>;
  /**
   * Members invited by earlier batches. Stored as members, because a file may contain too many people to store their
   * addresses.
   */
  invited: MemberNumbers;
}

export const noEarlierRows = (invited = new MemberNumbers()): EarlierRows => ({
  named: new Map(),
  taken: new Set(),
  invited,
});

/**
 * Judges the rows of a batch in order. If several rows have the same address, the first wins.
 * @param earlier claims of earlier batches; this batch's claims are added to it.
 */
export function judgeRows(
  rows: readonly AddressedRow[],
  { known, takenAttrs, isAllowed }: BatchFacts,
  options: CheckOptions,
  { named, taken, invited }: EarlierRows,
): JudgedRow[] {
  function judge({ row, email }: AddressedRow): Verdict {
    if (row.problem) return { outcome: 'rejected', reason: row.problem };
    if (row.email === '') return { outcome: 'rejected', reason: 'This row has no email address.' };
    if (email === undefined) {
      // An invalid address alone is reported as a non-member, but a row with more fields was meant to create a
      // member.
      const isAlone = !row.firstName && !row.lastName && !row.primaryAttr;
      return isAlone ? { outcome: 'emailsNotExist' } : { outcome: 'rejected', reason: addressError(row.email) };
    }
    const before = named.get(email);
    if (before !== undefined) return { outcome: 'duplicate', of: before };
    const invitee = known.get(email);
    if (invitee && invited.has(memberNumber(invitee.id))) return { outcome: 'duplicate' };
    if (invitee) return judgeInvitee(invitee, options);
    const facts = {
      isAttrTaken: takenAttrs.has(row.primaryAttr) || taken.has(row.primaryAttr),
      isDomainAllowed: isAllowed(email),
    };
    return judgeNewPerson(row, { ...facts, addNew: options.addNew });
  }

  return rows.map((addressed) => {
    const verdict = judge(addressed);
    const { row, email } = addressed;
    const isWritten = verdict.outcome === 'invite' || verdict.outcome === 'create';
    if (isWritten && email !== undefined) named.set(copyText(email), row.line);
    if (verdict.outcome === 'create') taken.add(row.primaryAttr);
    return { ...addressed, verdict };
  });
}

/** Returns the people to invite, and adds the other rows to the tally. */
export function planInvites(
  rows: readonly AddressedRow[],
  facts: BatchFacts,
  options: InviteOptions,
  tally: InviteTally,
  earlier: EarlierRows,
): PlannedInvite[] {
  return judgeRows(rows, facts, options, earlier).flatMap(({ row, email, verdict }) => {
    const { outcome } = verdict;
    if (outcome === 'unchanged') tally.unchanged += 1;
    else if (outcome === 'duplicate') tally.duplicates += 1;
    else if (outcome === 'rejected') tally.reject({ line: row.line, value: row.email, reason: verdict.reason });
    else if (outcome !== 'invite' && outcome !== 'create') tally.fail(outcome, email ?? row.email);
    else if (email !== undefined) return [plannedInvite(row, email, { verdict, known: facts.known, options })];
    return [];
  });
}

function plannedInvite(
  row: InviteRow,
  email: string,
  {
    verdict,
    known,
    options,
  }: { verdict: Verdict & { outcome: 'invite' | 'create' }; options: InviteOptions } & Pick<BatchFacts, 'known'>,
): PlannedInvite {
  if (verdict.outcome === 'create') {
    const { firstName } = row;
    return { email, firstName, language: null, needsCode: true, needsMail: options.sendEmail, newMemberRow: row };
  }
  const { suid, id, firstName = '', language = null } = known.get(email) ?? {};
  const { needsCode, needsMail } = verdict;
  return { suid, id, email, firstName, language, needsCode, needsMail };
}
