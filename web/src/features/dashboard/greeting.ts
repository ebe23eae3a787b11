import { t } from '@lingui/core/macro';

/** The greeting for this hour of the local day (0 to 23). */
export function greetingAt(hour: number): string {
  if (hour >= 5 && hour < 12) return t`Good morning`;
  if (hour >= 12 && hour < 18) return t`Good afternoon`;
  return hour >= 18 ? t`Good evening` : t`Hello`;
}
