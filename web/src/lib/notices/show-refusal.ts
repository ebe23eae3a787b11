import type { ResultName } from '@orchestrate/shared';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import { ApiRefusal } from '../api/api-refusal.ts';
import { resultText } from './result-text.ts';
import { toast } from './toaster.ts';

/**
 * Displays the issues of a refused form below their fields, or above the buttons.
 * @param fieldOf returns the field of a refusal without issues
 */
export function showRefusal<Values extends FieldValues>(
  form: Pick<UseFormReturn<Values>, 'setError' | 'getValues'>,
  failure: unknown,
  fieldOf: Partial<Record<ResultName, Path<Values>>> = {},
): void {
  const issues = failure instanceof ApiRefusal ? failure.issues : [];
  const fields = form.getValues();
  const own = issues.filter(({ path }) => (path.split('.')[0] ?? '') in fields);
  for (const [at, { path, message }] of own.entries())
    form.setError(path as Path<Values>, { message }, { shouldFocus: at === 0 });
  if (own.length > 0) return;
  const field = failure instanceof ApiRefusal && failure.resultName ? fieldOf[failure.resultName] : undefined;
  form.setError(field ?? 'root', { message: resultText(failure) }, { shouldFocus: true });
}

/** Displays a refusal in a toast, unless the session has ended, which the sign-in page reports. */
export function toastRefusal(failure: unknown): void {
  if (failure instanceof ApiRefusal && failure.status === 401) return;
  toast.error(resultText(failure));
}
