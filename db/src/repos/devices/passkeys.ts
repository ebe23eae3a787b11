import { and, eq, inArray, lt } from '#drizzle';
import type { Tx } from '../../database.ts';
import { devices, passkeys } from '../../schema/devices.ts';
import type { DeviceRow } from './devices.ts';

export type PasskeyRow = typeof passkeys.$inferSelect;

/** Adds a passkey's public key. Its device row is written separately. */
export function insertPasskey(tx: Tx, passkey: PasskeyRow): void {
  tx.insert(passkeys).values(passkey).run();
}

/** Finds a passkey and its device in any status, including removed and lost devices. */
export function findPasskey(
  tx: Tx,
  orgCode: string,
  credentialId: string,
): { passkey: PasskeyRow; device: DeviceRow } | undefined {
  const found = tx
    .select()
    .from(passkeys)
    .innerJoin(devices, eq(devices.zid, passkeys.zid))
    .where(and(eq(passkeys.credentialId, credentialId), eq(passkeys.orgCode, orgCode)))
    .get();
  return found && { passkey: found.passkeys, device: found.devices };
}

/** Returns true if this credential was ever registered in any organisation. Credential IDs are never reused. */
export function isCredentialRegistered(tx: Tx, credentialId: string): boolean {
  const found = tx.select({ zid: passkeys.zid }).from(passkeys).where(eq(passkeys.credentialId, credentialId)).get();
  return found !== undefined;
}

/** Lists a member's passkeys that are in use. */
export function listPasskeys(tx: Tx, orgCode: string, suid: string): PasskeyRow[] {
  return tx
    .select()
    .from(devices)
    .innerJoin(passkeys, eq(passkeys.zid, devices.zid))
    .where(and(eq(devices.suid, suid), eq(devices.orgCode, orgCode), inArray(devices.status, ['active', 'paused'])))
    .all()
    .map((row) => row.passkeys);
}

/**
 * Records a passkey's signature counter and backup state. Returns false if the counter hasn't increased. Passkeys
 * without a counter always report 0, which is accepted while the stored counter is 0 as well.
 */
export function advancePasskey(
  tx: Tx,
  orgCode: string,
  { zid, ...state }: Pick<PasskeyRow, 'zid' | 'counter' | 'backedUp' | 'backupEligible'>,
): boolean {
  const { counter } = state;
  const isMore = counter === 0 ? eq(passkeys.counter, 0) : lt(passkeys.counter, counter);
  const advanced = tx
    .update(passkeys)
    .set(state)
    .where(and(eq(passkeys.zid, zid), eq(passkeys.orgCode, orgCode), isMore))
    .run();
  return advanced.changes === 1;
}
