import type { AccountStatus } from '@orchestrate/shared';
import { Refusal } from '../../platform/refusal.ts';

export interface Standing {
  accountStatus: AccountStatus;
  /** What enabling brings back; null for whoever is not disabled, or was active. */
  statusBeforePause: AccountStatus | null;
}

export type StatusAction = 'pause' | 'unpause' | 'delete';

/**
 * What becomes of a member. Disabling somebody who has not registered yet keeps him from registering; enabling brings back
 * what he was. Whoever is disabled, or enabled, already stays as he is.
 * @throws Refusal ID_DOESNOT_EXIST for whoever has been deleted: nothing brings him back
 */
export function changeStanding({ accountStatus, statusBeforePause }: Standing, action: StatusAction): Standing {
  if (accountStatus === 'deleted') throw new Refusal('ID_DOESNOT_EXIST');
  const isDisabled = accountStatus === 'inactive';
  if (action === 'delete') return { accountStatus: 'deleted', statusBeforePause: null };
  if (action === 'pause' && !isDisabled) return { accountStatus: 'inactive', statusBeforePause: accountStatus };
  if (action === 'unpause' && isDisabled) {
    return { accountStatus: statusBeforePause ?? 'active', statusBeforePause: null };
  }
  return { accountStatus, statusBeforePause };
}
