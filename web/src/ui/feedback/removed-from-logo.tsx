import { t } from '@lingui/core/macro';
import { AlertLine } from './alert-line.tsx';

/** Removing metadata doesn't change how a picture looks, so it needs no warning. */
const isMetadata = (name: string) => !/[<@(]|^on/.test(name);

/** Lists the parts that the portal removed from a logo. Renders nothing if there are none. */
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
