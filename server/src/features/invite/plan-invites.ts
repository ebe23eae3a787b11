import type { invitationRepo } from '@orchestrate/db';
import type { AddressedRow, InviteRow } from './invite-row.ts';
import type { InviteTally } from './invite-tally.ts';
import { type InviteWish, judgeInvitee, judgeStranger, type Verdict } from './judge-invitee.ts';

/** Somebody to be invited now. */
export interface PlannedInvite {
  /** Absent for somebody who is yet to become a member. */
  suid?: string;
  email: string;
  firstName: string;
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

/** Decides about the rows of a batch; people who cannot be invited go straight into the tally. */
export function planInvites(
  rows: readonly AddressedRow[],
  { known, takenAttrs, isAllowed }: BatchFacts,
  wish: InviteWish,
  tally: InviteTally,
): PlannedInvite[] {
  const planned = new Map<string, PlannedInvite>();
  const taken = new Set(takenAttrs);

  function judge({ row, email }: AddressedRow): Verdict {
    if (row.problem) return { outcome: 'rejected', reason: row.problem };
    if (row.email === '') return { outcome: 'rejected', reason: 'There is no e-mail address in this row.' };
    if (email === undefined) return { outcome: 'emailsNotExist' };
    if (planned.has(email)) return { outcome: 'unchanged' };
    const invitee = known.get(email);
    if (invitee) return judgeInvitee(invitee, wish);
    return judgeStranger(row, { isAttrTaken: taken.has(row.primaryAttr), isDomainAllowed: isAllowed(email) });
  }

  for (const addressed of rows) {
    const { row, email } = addressed;
    const verdict = judge(addressed);
    const { outcome } = verdict;
    if (outcome === 'unchanged') tally.unchanged += 1;
    else if (outcome === 'rejected') tally.reject({ line: row.line, value: row.email, reason: verdict.reason });
    else if (outcome !== 'invite' && outcome !== 'create') tally.fail(outcome, email ?? row.email);
    else if (email !== undefined) planned.set(email, plannedInvite(row, email, { verdict, known, wish }));
    if (outcome === 'create') taken.add(row.primaryAttr);
  }
  return [...planned.values()];
}

function plannedInvite(
  row: InviteRow,
  email: string,
  {
    verdict,
    known,
    wish,
  }: { verdict: Verdict & { outcome: 'invite' | 'create' }; wish: InviteWish } & Pick<BatchFacts, 'known'>,
): PlannedInvite {
  if (verdict.outcome === 'create') {
    return { email, firstName: row.firstName, needsCode: true, needsMail: wish.sendEmail, stranger: row };
  }
  const { suid, firstName = '' } = known.get(email) ?? {};
  const { needsCode, needsMail } = verdict;
  return { suid, email, firstName, needsCode, needsMail };
}
