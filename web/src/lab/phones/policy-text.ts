import type { PhonePolicy } from '@orchestrate/shared';
import { KINDS, LIES, REASONS } from './words.ts';

const ANSWERS: Record<PhonePolicy['answer'], string> = { approve: 'Approves', deny: 'Denies', ignore: 'Ignores' };

/** What a policy does, in words: `Approves after 250 ms, twice, with the wrong number`. */
export function policyText({ answer, afterMs, number, lie, times, opens, reason }: PhonePolicy): string {
  const details = [
    reason && `as ${REASONS[reason]}`,
    afterMs > 0 && `after ${afterMs} ms`,
    number && `with the ${number} number`,
    lie && `the answer ${LIES[lie]}`,
    times && (times === 1 ? 'once' : `${times} times`),
    opens && 'opens codes too',
  ].filter(Boolean);
  return [ANSWERS[answer], ...details].join(', ');
}

/** Which requests a policy is for, in words. */
export function matchText({ match: { email, zid, org, kind } }: PhonePolicy): string {
  const whose = zid ? `the device ${zid}` : email ? email : org ? `everybody in ${org}` : 'everybody';
  return kind ? `${whose}, only “${KINDS[kind]}”` : whose;
}
