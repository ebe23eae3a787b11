import type { AccountStatus } from '@orchestrate/shared';
import { Refusal } from '#platform/refusal.ts';

export interface StatusFields {
  accountStatus: AccountStatus;
  /** Status to restore when the member is enabled. Null unless the member is disabled and wasn't active before. */
  statusBeforePause: AccountStatus | null;
}

export type StatusAction = 'pause' | 'unpause' | 'delete';

/**
 * Returns a member's next account status. A disabled member who hasn't registered can't register, and enabling them
 * restores their previous status. Disabling or enabling a member a second time has no effect.
 * @throws Refusal ID_DOESNOT_EXIST for a deleted member, because deletion is final; USER_NOT_REGISTERED_FOR_ORG when
 * enabling a member who never registered
 */
export function nextAccountStatus(
  { accountStatus, statusBeforePause }: StatusFields,
  action: StatusAction,
): StatusFields {
  if (accountStatus === 'deleted') throw new Refusal('ID_DOESNOT_EXIST');
  const isDisabled = accountStatus === 'inactive';
  if (action === 'delete') return { accountStatus: 'deleted', statusBeforePause: null };
  if (action === 'pause' && !isDisabled) return { accountStatus: 'inactive', statusBeforePause: accountStatus };
  if (action === 'unpause' && isDisabled) {
    return { accountStatus: statusBeforePause ?? 'active', statusBeforePause: null };
  }
  if (action === 'unpause' && accountStatus !== 'active') throw new Refusal('USER_NOT_REGISTERED_FOR_ORG');
  return { accountStatus, statusBeforePause };
}
