import type { SignupForm } from '@orchestrate/shared';
import { useLocation, useNavigate } from 'react-router-dom';
import { useNextStep } from '../../lib/address/use-next-step.ts';

/** The present step of joining and the way to another; Back returns to the one before, with what was typed. */
export function useSignUpStep() {
  const { pathname, state } = useLocation();
  const navigate = useNavigate();
  const goOn = useNextStep();
  const go = (step: 'verify' | 'done', form: SignupForm) => goOn(pathname, { state: { step, form } });
  return { step: readStep(state), go, goBack: () => void navigate(-1) };
}

/** How far somebody has come with joining. */
type SignUpStep = { name: 'form' } | { name: 'verify' | 'done'; form: SignupForm };

/** Reads a step from the navigation state, which survives a reload; anything unknown means the beginning. */
function readStep(state: unknown): SignUpStep {
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
