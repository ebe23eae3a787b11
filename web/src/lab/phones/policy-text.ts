import { t } from '@lingui/core/macro';
import type { PhonePolicy } from '@orchestrate/shared';
import { countText } from '../faults/fault-text.ts';
import { KINDS, LIES, REASONS } from './words.ts';

const ANSWERS: Record<PhonePolicy['answer'], string> = { approve: t`Approves`, deny: t`Denies`, ignore: t`Ignores` };

/** Describes a policy: `Approves, after 250 ms, 2 times, with the wrong number`. */
export function policyText({ answer, afterMs, number, lie, times, opens, reason }: PhonePolicy): string {
  const details = [
    reason && t`as ${REASONS[reason]}`,
    afterMs > 0 && t`after ${afterMs} ms`,
    number && (number === 'right' ? t`with the right number` : t`with the wrong number`),
    lie && t`with an answer ${LIES[lie]}`,
    times && countText(times),
    opens && t`also opens codes`,
  ].filter(Boolean);
  return [ANSWERS[answer], ...details].join(', ');
}

/** Describes the requests that a policy matches. */
export function matchText({ match: { email, zid, org, kind } }: PhonePolicy): string {
  const whose = zid ? t`the device ${zid}` : email ? email : org ? t`everyone in ${org}` : t`everyone`;
  return kind ? t`${whose}, only “${KINDS[kind]}”` : whose;
}
