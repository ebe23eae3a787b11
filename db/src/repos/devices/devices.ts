import { and, count, desc, eq, gt, inArray, or, sql } from '#drizzle';
import { cachedRow } from '../../cached-row.ts';
import type { Tx } from '../../database.ts';
import { type DeviceRowStatus, devices } from '../../schema/devices.ts';
import { drizzleStatement } from '../../sql-statement.ts';

export type DeviceRow = typeof devices.$inferSelect;
export type NewDevice = Omit<typeof devices.$inferInsert, 'nickName' | 'status' | 'lastLoginAt' | 'endedAt'>;

/** A device in use. Users can see it, and it counts towards the limit. */
export type RegisteredDevice = DeviceRow & { status: 'active' | 'paused' };

const REGISTERED = ['active', 'paused'] as const satisfies DeviceRowStatus[];
const param = sql.placeholder;

const byZid = drizzleStatement((db) =>
  db
    .select()
    .from(devices)
    .where(eq(devices.zid, param('zid')))
    .prepare(),
);

const deviceOf = cachedRow([devices], ['zid'], (db, key) => byZid(db).get(key) ?? null);

/**
 * Finds a device in any status by the ID that a request claims. The caller must verify the request's signature to
 * confirm the device and its organisation.
 */
export function findClaimedDevice(tx: Tx, zid: string): Readonly<DeviceRow> | undefined {
  return deviceOf(tx, { zid }) ?? undefined;
}

/** Finds a device in any status, including removed and lost devices. */
export function findDevice(tx: Tx, orgCode: string, zid: string): Readonly<DeviceRow> | undefined {
  const found = deviceOf(tx, { zid });
  return found?.orgCode === orgCode ? found : undefined;
}

const isRegistered = (device: DeviceRow): device is RegisteredDevice =>
  device.status === 'active' || device.status === 'paused';

/** Lists a member's active and paused devices, newest first. */
export function listRegisteredDevices(tx: Tx, orgCode: string, suid: string): RegisteredDevice[] {
  return tx
    .select()
    .from(devices)
    .where(and(eq(devices.orgCode, orgCode), eq(devices.suid, suid), inArray(devices.status, REGISTERED)))
    .orderBy(desc(devices.registeredAt), devices.zid)
    .all()
    .filter(isRegistered);
}

/** Counts a member's active and paused devices, which count towards the limit. */
export function countRegisteredDevices(tx: Tx, orgCode: string, suid: string): number {
  const row = tx
    .select({ devices: count() })
    .from(devices)
    .where(and(eq(devices.orgCode, orgCode), eq(devices.suid, suid), inArray(devices.status, REGISTERED)))
    .get();
  return row?.devices ?? 0;
}

/** Returns true if the member has an active device of one of these types. Only active devices can answer requests. */
export function hasActiveDevice(tx: Tx, orgCode: string, suid: string, types: DeviceRow['type'][]): boolean {
  const found = tx
    .select({ zid: devices.zid })
    .from(devices)
    .where(
      and(
        eq(devices.orgCode, orgCode),
        eq(devices.suid, suid),
        eq(devices.status, 'active'),
        inArray(devices.type, types),
      ),
    )
    .limit(1)
    .get();
  return found !== undefined;
}

/** Returns true if the member has a device in use, or had one that ended after `endedAfter`. */
export function hasRecentDevice(tx: Tx, orgCode: string, suid: string, endedAfter: number): boolean {
  const found = tx
    .select({ zid: devices.zid })
    .from(devices)
    .where(
      and(
        eq(devices.orgCode, orgCode),
        eq(devices.suid, suid),
        or(inArray(devices.status, REGISTERED), gt(devices.endedAt, endedAfter)),
      ),
    )
    .limit(1)
    .get();
  return found !== undefined;
}

/** Returns true if any member of the organisation uses the key. */
export function isKeyRegistered(tx: Tx, orgCode: string, thumbprint: string): boolean {
  const found = tx
    .select({ zid: devices.zid })
    .from(devices)
    .where(and(eq(devices.orgCode, orgCode), eq(devices.thumbprint, thumbprint), inArray(devices.status, REGISTERED)))
    .get();
  return found !== undefined;
}

/** Adds an active device. */
export function insertDevice(tx: Tx, device: NewDevice): void {
  tx.insert(devices)
    .values({ ...device, status: 'active' })
    .run();
}

/** Sets a device's status, regardless of its current status. */
export function setDeviceStatus(tx: Tx, orgCode: string, zid: string, status: DeviceRowStatus, now: number): void {
  const hasEnded = status === 'removed' || status === 'lost';
  tx.update(devices)
    .set({ status, endedAt: hasEnded ? now : null })
    .where(and(eq(devices.orgCode, orgCode), eq(devices.zid, zid)))
    .run();
}

/** Sets the time from which a device can give fresh approvals. */
export function setApprovesFrom(tx: Tx, orgCode: string, zid: string, approvesFrom: number): void {
  tx.update(devices)
    .set({ approvesFrom })
    .where(and(eq(devices.orgCode, orgCode), eq(devices.zid, zid)))
    .run();
}

/** Removes all of a member's devices that are in use. */
export function removeDevices(tx: Tx, orgCode: string, suid: string, now: number): void {
  tx.update(devices)
    .set({ status: 'removed', endedAt: now })
    .where(and(eq(devices.orgCode, orgCode), eq(devices.suid, suid), inArray(devices.status, REGISTERED)))
    .run();
}

const login = drizzleStatement((db) =>
  db
    .update(devices)
    .set({ lastLoginAt: sql`${param('now')}` })
    .where(and(eq(devices.orgCode, param('orgCode')), eq(devices.zid, param('zid'))))
    .prepare(),
);

/** Records the device's last sign-in. */
export function touchDevice(tx: Tx, orgCode: string, zid: string, now: number): void {
  login(tx).run({ orgCode, zid, now });
}

/** Sets the nickname of a member's device. Returns false if the member doesn't have this device in use. */
export function setDeviceNickname(
  tx: Tx,
  orgCode: string,
  { suid, zid, nickName }: { suid: string; zid: string; nickName: string },
): boolean {
  const named = tx
    .update(devices)
    .set({ nickName })
    .where(
      and(
        eq(devices.orgCode, orgCode),
        eq(devices.suid, suid),
        eq(devices.zid, zid),
        inArray(devices.status, REGISTERED),
      ),
    )
    .run();
  return named.changes === 1;
}
