import type { memberRepo } from '@orchestrate/db';
import type { Device } from '@orchestrate/shared';
import { isNew } from '../../core/sign-in/new-devices.ts';
import { isoOf } from '../../platform/iso-of.ts';

/**
 * A device in use, as the API returns it. Every device that is not paused is active: removed and lost ones are never
 * shown.
 */
export function deviceOf(row: memberRepo.ShownDevice, now: number): Device {
  return {
    zid: row.zid,
    name: row.name,
    nickName: row.nickName,
    type: row.type,
    status: row.status === 'paused' ? 'paused' : 'active',
    registeredDate: isoOf(row.registeredAt),
    lastLogin: isoOf(row.lastLoginAt),
    approvesFrom: isNew(row, now) ? isoOf(row.approvesFrom) : undefined,
  };
}
