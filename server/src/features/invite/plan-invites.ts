import { type invitationRepo, memberNumber } from '@orchestrate/db';
import type { Language } from '@orchestrate/shared';
import type { AddressedRow, InviteRow } from './invite-row.ts';
import type { InviteTally } from './invite-tally.ts';
import {
  type CheckOptions,
  type InviteOptions,
  judgeInvitee,
  judgeStranger,
  malformedAddress,
  type Verdict,
} from './judge-invitee.ts';
import { MemberNumbers } from './member-numbers.ts';
import { ownCopy } from './upload-progress.ts';

/** Somebody to be invited now. */
export interface PlannedInvite {
  /** Absent for somebody who is yet to become a member. */
  suid?: string;
  /** Of their row, if they are a member. */
  id?: number;
  email: string;
  firstName: string;
  /** That they have chosen; null for none. */
  language: Language | null;
  needsCode: boolean;
  needsMail: boolean;
  /** The row that makes them a member. */
  stranger?: InviteRow;
}

/** What is known before a batch is planned. */
export interface BatchFacts {
  /** By address. */
  known: ReadonlyMap<string, invitationRepo.Invitee>;
  /** Primary attributes that are in use. */
  takenAttrs: ReadonlySet<string>;
  /** Whether somebody with this address may enter the organisation. */
  isAllowed(email: string): boolean;
}

/** A row, and what becomes of it. */
export interface JudgedRow extends AddressedRow {
  verdict: Verdict;
}

/** What earlier rows have taken. */
export interface EarlierRows {
  /** The addresses of rows that the database does not have yet, with their line. */
  named: Map<string, number>;
  /** Primary attributes, likewise. */
  taken: Set<string>;
  /** Whom earlier batches have invited. A file may name too many people to keep their addresses. */
  invited: MemberNumbers;
}

export const noEarlierRows = (invited = new MemberNumbers()): EarlierRows => ({
  named: new Map(),
  taken: new Set(),
  invited,
});

/**
 * Decides about the rows of a batch, in their order: of several with one address, the first counts.
 * @param earlier what batches before it have taken; these rows are added.
 */
export function judgeRows(
  rows: readonly AddressedRow[],
  { known, takenAttrs, isAllowed }: BatchFacts,
  wish: CheckOptions,
  { named, taken, invited }: EarlierRows,
): JudgedRow[] {
  function judge({ row, email }: AddressedRow): Verdict {
    if (row.problem) return { outcome: 'rejected', reason: row.problem };
    if (row.email === '') return { outcome: 'rejected', reason: 'This row has no email address.' };
    if (email === undefined) {
      // An address alone is answered like one that no member has; a whole row was meant for a new member.
      const isAlone = !row.firstName && !row.lastName && !row.primaryAttr;
      return isAlone ? { outcome: 'emailsNotExist' } : { outcome: 'rejected', reason: malformedAddress(row.email) };
    }
    const before = named.get(email);
    if (before !== undefined) return { outcome: 'duplicate', of: before };
    const invitee = known.get(email);
    if (invitee && invited.has(memberNumber(invitee.id))) return { outcome: 'duplicate' };
    if (invitee) return judgeInvitee(invitee, wish);
    const facts = {
      isAttrTaken: takenAttrs.has(row.primaryAttr) || taken.has(row.primaryAttr),
      isDomainAllowed: isAllowed(email),
    };
    return judgeStranger(row, { ...facts, addNew: wish.addNew });
  }

  return rows.map((addressed) => {
    const verdict = judge(addressed);
    const { row, email } = addressed;
    const isWritten = verdict.outcome === 'invite' || verdict.outcome === 'create';
    if (isWritten && email !== undefined) named.set(ownCopy(email), row.line);
    if (verdict.outcome === 'create') taken.add(row.primaryAttr);
    return { ...addressed, verdict };
  });
}

/** Whom to invite of a batch; people who cannot be invited go straight into the tally. */
export function planInvites(
  rows: readonly AddressedRow[],
  facts: BatchFacts,
  wish: InviteOptions,
  tally: InviteTally,
  earlier: EarlierRows,
): PlannedInvite[] {
  return judgeRows(rows, facts, wish, earlier).flatMap(({ row, email, verdict }) => {
    const { outcome } = verdict;
    if (outcome === 'unchanged') tally.unchanged += 1;
    else if (outcome === 'duplicate') tally.duplicates += 1;
    else if (outcome === 'rejected') tally.reject({ line: row.line, value: row.email, reason: verdict.reason });
    else if (outcome !== 'invite' && outcome !== 'create') tally.fail(outcome, email ?? row.email);
    else if (email !== undefined) return [plannedInvite(row, email, { verdict, known: facts.known, wish })];
    return [];
  });
}

function plannedInvite(
  row: InviteRow,
  email: string,
  {
    verdict,
    known,
    wish,
  }: { verdict: Verdict & { outcome: 'invite' | 'create' }; wish: InviteOptions } & Pick<BatchFacts, 'known'>,
): PlannedInvite {
  if (verdict.outcome === 'create') {
    const { firstName } = row;
    return { email, firstName, language: null, needsCode: true, needsMail: wish.sendEmail, stranger: row };
  }
  const { suid, id, firstName = '', language = null } = known.get(email) ?? {};
  const { needsCode, needsMail } = verdict;
  return { suid, id, email, firstName, language, needsCode, needsMail };
}
