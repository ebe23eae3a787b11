import type { loginHistoryRepo } from '@orchestrate/db';
import { fullNameOf, type LoginRecord, type SignInRecord } from '@orchestrate/shared';
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

/** Returns an entry of the organisation's sign-ins for the API. */
export const signInRecordOf = (entry: loginHistoryRepo.SignInEntry): SignInRecord => ({
  ...loginRecordOf(entry),
  suid: entry.suid,
  primaryAttr: entry.primaryAttr,
  name: fullNameOf(entry),
  email: entry.primaryEmail,
  accountStatus: entry.accountStatus,
  appId: entry.appId,
  reason: entry.reason,
});
