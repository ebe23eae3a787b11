import { t } from '@lingui/core/macro';
import { AlertLine } from './alert-line.tsx';

/** Returns true for metadata, which needs no warning, because removing it doesn't change how an image looks. */
const isMetadata = (name: string) => !/[<@(]|^on/.test(name);

/** Lists what the portal removed from a logo. Renders nothing if it removed nothing. */
export function RemovedFromLogo({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null;
  const list = names.join(', ');
  return names.every(isMetadata) ? (
    <AlertLine tone="info">{t`Removed metadata: ${list}`}</AlertLine>
  ) : (
    <AlertLine tone="warning">
      {t`Removed from this file: ${list}. Logos can’t contain scripts, external files, links or animations.`}
    </AlertLine>
  );
}
