import { type invitationRepo, memberNumber } from '@orchestrate/db';
import type { Language } from '@orchestrate/shared';
import type { AddressedRow, InviteRow } from './invite-row.ts';
import type { InviteTally } from './invite-tally.ts';
import {
  type CheckOptions,
  type InviteOptions,
  judgeInvitee,
  judgeNewPerson,
  malformedAddress,
  type Verdict,
} from './judge-invitee.ts';
import { MemberNumbers } from './member-numbers.ts';
import { copyText } from './upload-progress.ts';

/** Person to be invited now. */
export interface PlannedInvite {
  /** Absent for future members. */
  suid?: string;
  /** Row id, for members. */
  id?: number;
  email: string;
  firstName: string;
  /** Chosen language; null if none. */
  language: Language | null;
  needsCode: boolean;
  needsMail: boolean;
  /** Row for a new member. */
  newMemberRow?: InviteRow;
}

/** Facts read before planning a batch. */
export interface BatchFacts {
  /** Members by address. */
  known: ReadonlyMap<string, invitationRepo.Invitee>;
  /** Primary attributes in use. */
  takenAttrs: ReadonlySet<string>;
  /** Returns true if the address may join the organisation. */
  isAllowed(email: string): boolean;
}

/** Row with its verdict. */
export interface JudgedRow extends AddressedRow {
  verdict: Verdict;
}

/** Addresses and members claimed by earlier rows. */
export interface EarlierRows {
  /** Addresses of earlier rows that aren't in the database yet, with their line. */
  named: Map<string, number>;
  /** Primary attributes of earlier rows. */
  taken: Set<string>;
  /** Members invited by earlier batches. A file may contain too many people to store their addresses. */
  invited: MemberNumbers;
}

export const noEarlierRows = (invited = new MemberNumbers()): EarlierRows => ({
  named: new Map(),
  taken: new Set(),
  invited,
});

/**
 * Judges the rows of a batch in order: the first of several with one address wins.
 * @param earlier claims of earlier batches; these rows are added.
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
      // An unknown address alone is refused as a non-member; a whole row was meant for a new member.
      const isAlone = !row.firstName && !row.lastName && !row.primaryAttr;
      return isAlone ? { outcome: 'emailsNotExist' } : { outcome: 'rejected', reason: malformedAddress(row.email) };
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

/** Returns whom to invite; failures go straight into the tally. */
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
