import { t } from '@lingui/core/macro';
import { AlertLine } from '../feedback/alert-line.tsx';
import type { Lost } from './drafts.ts';

const AGAIN: Record<Lost, string> = {
  secret: t`What you typed before your session ended is back, except for the secret: enter it again. Save it, or discard it.`,
  file: t`What you typed before your session ended is back, except for the file: choose it again. Save it, or discard it.`,
};

/** Says why a form is filled in that nobody has touched. */
export function RestoredNote({ lost }: { lost: Lost | undefined }) {
  return (
    <AlertLine tone="info">
      {lost ? AGAIN[lost] : t`What you typed before your session ended is back. Save it, or discard it.`}
    </AlertLine>
  );
}
