import type { ResultName } from '@orchestrate/shared';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import { ApiRefusal } from '../api/api-refusal.ts';
import { resultText } from './result-text.ts';
import { toast } from './toaster.ts';

/**
 * Displays a refusal's issues below their fields. If no issue belongs to a field, displays the refusal's message
 * below the field from `fieldOf`, or above the buttons.
 * @param fieldOf the field for each result name
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

/** Displays a refusal in a toast, unless the session has ended: the sign-in page reports that. */
export function toastRefusal(failure: unknown): void {
  if (failure instanceof ApiRefusal && failure.status === 401) return;
  toast.error(resultText(failure));
}
