import { t } from '@lingui/core/macro';
import { useDeferredWhilePressed } from '#lib/browser/held-values.ts';
import { AlertLine } from '../feedback/alert-line.tsx';

interface FormAlertProps {
  /** react-hook-form's `formState.errors`. */
  errors: object;
}

/** An alert above a form's buttons if the form has errors (spec 2 §5). */
export function FormAlert({ errors }: FormAlertProps) {
  const isWrong = useDeferredWhilePressed(Object.keys(errors).length > 0);
  if (!isWrong) return null;
  return (
    <AlertLine>{t`Required information is missing or incorrect. Please review the highlighted fields.`}</AlertLine>
  );
}
