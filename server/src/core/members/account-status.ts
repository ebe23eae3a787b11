import type { AccountStatus } from '@orchestrate/shared';
import { Refusal } from '#platform/refusal.ts';

export interface StatusFields {
  accountStatus: AccountStatus;
  /** The status that enabling restores; null unless the member is disabled and was not active before. */
  statusBeforePause: AccountStatus | null;
}

export type StatusAction = 'pause' | 'unpause' | 'delete';

/**
 * Returns the next account status of a member. A disabled member who has not registered can't register; enabling restores
 * the previous status. Disabling or enabling twice changes nothing.
 * @throws Refusal ID_DOESNOT_EXIST for a deleted member, which is final; USER_NOT_REGISTERED_FOR_ORG when enabling a
 * member who never registered
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
