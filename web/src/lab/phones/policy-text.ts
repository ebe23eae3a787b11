import { t } from '@lingui/core/macro';
import type { PhonePolicy } from '@orchestrate/shared';
import { timesText } from '../faults/fault-text.ts';
import { KINDS, LIES, REASONS } from './words.ts';

const ANSWERS: Record<PhonePolicy['answer'], string> = { approve: t`Approves`, deny: t`Denies`, ignore: t`Ignores` };

/** Returns a description of a policy, e.g. `Approves, after 250 ms, 2 times, with the wrong number`. */
export function policyText({ answer, afterMs, number, lie, times, opens, reason }: PhonePolicy): string {
  const details = [
    reason && t`with reason “${REASONS[reason]}”`,
    afterMs > 0 && t`after ${afterMs} ms`,
    number && (number === 'right' ? t`with the correct number` : t`with the wrong number`),
    lie && t`with an answer ${LIES[lie]}`,
    times && timesText(times),
    opens && t`also opens codes`,
  ].filter(Boolean);
  return [ANSWERS[answer], ...details].join(', ');
}

/** Returns a description of the requests that a policy matches. */
export function matchText({ match: { email, zid, org, kind } }: PhonePolicy): string {
  const whose = zid ? t`device ${zid}` : email ? email : org ? t`everyone in ${org}` : t`everyone`;
  return kind ? t`${whose}, only “${KINDS[kind]}”` : whose;
}
