import { readClock } from '@orchestrate/shared';
import useSWR from 'swr';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { call } from '#lib/api/call.ts';
import { paths } from '#paths.ts';
import { useLabUpdates } from './lab-updates.tsx';

/** Paths of the lab's sections, separate from `paths`, which every page loads. */
export const labPaths = {
  outbox: paths.lab,
  requests: `${paths.lab}/requests`,
  journal: `${paths.lab}/journal`,
  people: `${paths.lab}/people`,
  phones: `${paths.lab}/phones`,
  faults: `${paths.lab}/faults`,
  sockets: `${paths.lab}/sockets`,
  magic: `${paths.lab}/magic`,
  clock: `${paths.lab}/clock`,
  worlds: `${paths.lab}/worlds`,
  spaces: `${paths.lab}/spaces`,
  tokens: `${paths.lab}/tokens`,
  provisioning: `${paths.lab}/provisioning`,
} as const;

/**
 * Converts the value of a date and time field to ISO 8601. Returns invalid values, such as a year with too many digits,
 * unchanged, because the portal validates them.
 */
export function momentIn(field: string): string {
  const moment = new Date(field);
  return Number.isNaN(moment.getTime()) ? field : moment.toISOString();
}

/** True if the portal no longer responds, because it was stopped or the space has ended. */
export function useIsGone(): boolean {
  const { isReconnecting } = useLabUpdates();
  const { error } = useSWR(isReconnecting ? 'portal still there' : null, () => call(readClock, {}), {
    refreshInterval: 2_000,
    shouldRetryOnError: false,
  });
  return isReconnecting && error instanceof ApiRefusal && error.status === 0;
}
