import type { contract, ReplyOf, TryCheck } from '@orchestrate/shared';

export type Inspected = Omit<ReplyOf<typeof contract.inspectToken>, 'resultCode'>;

/** A finding in a sentence. @param what it is, e.g. `This ID token` */
export function verdictOn(what: string, checks: readonly TryCheck[]): Pick<Inspected, 'isValid' | 'verdict'> {
  const failed = checks.filter(({ isMet }) => !isMet);
  if (failed.length === 0) return { isValid: true, verdict: `${what} is valid.` };
  const reasons = failed.map(({ name }) => name).join(', ');
  return { isValid: false, verdict: `${what} must not be accepted: ${reasons}.` };
}
