import type { schema } from '@orchestrate/db';
import type { Device } from '@orchestrate/shared';
import { isoOf } from './iso-of.ts';

type DeviceRow = typeof schema.devices.$inferSelect;

/** A device in use as it travels. Whatever is not paused is active: removed and lost ones are never shown. */
export function deviceOf(row: DeviceRow): Device {
  return {
    zid: row.zid,
    name: row.name,
    nickName: row.nickName,
    type: row.type,
    status: row.status === 'paused' ? 'paused' : 'active',
    registeredDate: isoOf(row.registeredAt),
    lastLogin: isoOf(row.lastLoginAt),
  };
}
