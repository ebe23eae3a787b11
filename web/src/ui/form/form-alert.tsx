import { t } from '@lingui/core/macro';
import { useDeferredWhilePressed } from '#lib/browser/use-deferred-while-pressed.ts';
import { AlertLine } from '../feedback/alert-line.tsx';

interface FormAlertProps {
  /** The errors of a form; react-hook-form's `formState.errors`. */
  errors: object;
}

/** Says above a form's buttons that something is missing or wrong (spec 2 §5). Nothing where all is well. */
export function FormAlert({ errors }: FormAlertProps) {
  const isWrong = useDeferredWhilePressed(Object.keys(errors).length > 0);
  if (!isWrong) return null;
  return (
    <AlertLine>{t`Required information is missing or incorrect. Please review the highlighted fields.`}</AlertLine>
  );
}
