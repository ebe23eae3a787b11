import { t } from '@lingui/core/macro';
import { AlertLine } from './alert-line.tsx';

/** Metadata says nothing about how a picture looks, so that it does not need attention. */
const isMetadata = (name: string) => !/[<@(]|^on/.test(name);

/** Lists what the portal left out of a logo; nothing if that is nothing. */
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
