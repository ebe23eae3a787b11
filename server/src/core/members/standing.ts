import type { AccountStatus } from '@orchestrate/shared';
import { Refusal } from '#platform/refusal.ts';

export interface Standing {
  accountStatus: AccountStatus;
  /** The status that enabling restores; null for anyone who is not disabled, or was active. */
  statusBeforePause: AccountStatus | null;
}

export type StatusAction = 'pause' | 'unpause' | 'delete';

/**
 * The next status of a member. Disabling somebody who has not registered yet keeps them from registering; enabling
 * restores their previous status. Disabling or enabling twice changes nothing.
 * @throws Refusal ID_DOESNOT_EXIST for anyone who has been deleted: nothing brings them back;
 * USER_NOT_REGISTERED_FOR_ORG enabling does not make anyone active who never was
 */
export function changeStanding({ accountStatus, statusBeforePause }: Standing, action: StatusAction): Standing {
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
