import type { loginHistoryRepo } from '@orchestrate/db';
import type { LoginRecord } from '@orchestrate/shared';
import { isoOf } from '#platform/times.ts';

/** Returns a login history entry for the API. A missing nickname becomes ''. */
export function loginRecordOf(entry: loginHistoryRepo.LoginHistoryEntry): LoginRecord {
  return {
    id: entry.id,
    device: entry.deviceName,
    nickName: entry.nickName ?? '',
    deviceType: entry.deviceType,
    appName: entry.appName,
    timestamp: isoOf(entry.timestamp),
    loginStatus: entry.loginStatus,
    mode: entry.mode,
    ip: entry.ip,
    isDisowned: entry.disownedAt !== null,
  };
}
