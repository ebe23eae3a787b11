import type { SignupForm } from '@orchestrate/shared';
import { useLocation, useNavigate } from 'react-router-dom';
import { useNextStep } from '../../lib/address/use-next-step.ts';
import { readStep } from './sign-up-step.ts';

/** The present step of joining and the way to another; Back returns to the one before, with what was typed. */
export function useSignUpStep() {
  const { pathname, state } = useLocation();
  const navigate = useNavigate();
  const goOn = useNextStep();
  const go = (step: 'verify' | 'done', form: SignupForm) => goOn(pathname, { state: { step, form } });
  return { step: readStep(state), go, goBack: () => void navigate(-1) };
}
