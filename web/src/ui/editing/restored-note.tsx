import { t } from '@lingui/core/macro';
import { AlertLine } from '../feedback/alert-line.tsx';
import type { LostInput } from './drafts.ts';

const AGAIN: Record<LostInput, string> = {
  secret: t`We restored your unsaved changes, except for the secret. Enter it again, then save or discard them.`,
  file: t`We restored your unsaved changes, except for the file. Choose it again, then save or discard them.`,
};

/** Explains why a form opens with unsaved changes. */
export function RestoredNote({ lost }: { lost: LostInput | undefined }) {
  return (
    <AlertLine tone="info">
      {lost ? AGAIN[lost] : t`Your session ended, so we restored your unsaved changes. Save or discard them.`}
    </AlertLine>
  );
}
