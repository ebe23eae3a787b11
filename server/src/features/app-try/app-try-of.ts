import type { applicationRepo, appTryRepo } from '@orchestrate/db';
import type { AppTry } from '@orchestrate/shared';
import { isoOf } from '../../platform/iso-of.ts';

/** A try as the API returns it. @param now milliseconds since the epoch */
export function appTryOf(
  row: appTryRepo.AppTryRow,
  { name }: Pick<applicationRepo.ApplicationRow, 'name'>,
  now: number,
): AppTry {
  return {
    tryId: row.id,
    appId: row.appId,
    appName: name,
    protocol: row.protocol,
    result: row.result,
    status: statusOf(row, now),
    startedAt: isoOf(row.createdAt),
  };
}

function statusOf({ result, expiresAt }: appTryRepo.AppTryRow, now: number): AppTry['status'] {
  if (result) return result.checks.every(({ isMet }) => isMet) ? 'passed' : 'failed';
  return expiresAt <= now ? 'expired' : 'waiting';
}
