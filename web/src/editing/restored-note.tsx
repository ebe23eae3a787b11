import { t } from '@lingui/core/macro';
import { AlertLine } from '../ui/alert-line.tsx';

/** Says why a form is filled in that nobody has touched. @param unkept the parts that no draft keeps */
export function RestoredNote({ unkept }: { unkept: readonly string[] }) {
  return (
    <AlertLine tone="info">
      {t`What you typed before your session ended is back.${unkept.length > 0 ? t` Enter secrets and choose files again.` : ''} Save it, or discard it.`}
    </AlertLine>
  );
}
