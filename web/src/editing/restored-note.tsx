import { AlertLine } from '../ui/alert-line.tsx';

/** Says why a form is filled in that nobody has touched. @param unkept the parts that no draft keeps */
export function RestoredNote({ unkept }: { unkept: readonly string[] }) {
  return (
    <AlertLine tone="info">
      {`What you typed before your session ended is back.${unkept.length > 0 ? ' Enter secrets and choose files again.' : ''} Save it, or discard it.`}
    </AlertLine>
  );
}
