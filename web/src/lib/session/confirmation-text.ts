import { t } from '@lingui/core/macro';
import type { Confirmation } from '@orchestrate/shared';
import { formatDateTime } from '../format/dates.ts';

/** Explains when a new device can approve changes. */
export function confirmationText({ approvesFrom, matchNumber: number }: Confirmation): string {
  const date = formatDateTime(approvesFrom);
  if (number === undefined)
    return t`This device can approve changes from ${date}, or once you confirm it on another device.`;
  return t`To approve changes with this device now, choose ${number} on your other device. Otherwise, you can use it to approve changes from ${date}.`;
}
