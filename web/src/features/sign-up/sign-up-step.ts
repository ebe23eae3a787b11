import type { SignupForm } from '@orchestrate/shared';

/** How far somebody has come with joining. */
export type SignUpStep = { name: 'form' } | { name: 'verify' | 'done'; form: SignupForm };

/** Reads a step from the navigation state, which survives a reload; anything unknown means the beginning. */
export function readStep(state: unknown): SignUpStep {
  const { step, form } = (typeof state === 'object' && state !== null ? state : {}) as {
    step?: unknown;
    form?: unknown;
  };
  if ((step !== 'verify' && step !== 'done') || !isForm(form)) return { name: 'form' };
  return { name: step, form };
}

function isForm(value: unknown): value is SignupForm {
  if (typeof value !== 'object' || value === null) return false;
  const { firstName, lastName, email, mobileNumber }: Partial<Record<keyof SignupForm, unknown>> = value;
  const areStrings = [firstName, lastName, email].every((part) => typeof part === 'string');
  return areStrings && (mobileNumber === undefined || typeof mobileNumber === 'string');
}
