import { ApiRefusal } from './api-refusal.ts';
import { resultText } from './result-text.ts';
import { toast } from './toaster.ts';

/** Says in a toast why something was not done; of a session that has ended the sign-in page speaks. */
export function toastRefusal(failure: unknown): void {
  if (failure instanceof ApiRefusal && failure.status === 401) return;
  toast.error(resultText(failure));
}
