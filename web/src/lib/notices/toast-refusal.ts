import { ApiRefusal } from '../api/api-refusal.ts';
import { resultText } from './result-text.ts';
import { toast } from './toaster.ts';

/** Shows a refusal in a toast, except when the session has ended: the sign-in page says that. */
export function toastRefusal(failure: unknown): void {
  if (failure instanceof ApiRefusal && failure.status === 401) return;
  toast.error(resultText(failure));
}
