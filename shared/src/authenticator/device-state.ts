import { z } from 'zod';
import { appType } from '../contract/activation.ts';
import type { VirtualDevice } from '../contract/lab.ts';
import { privateKeyJwk } from './device-key.ts';

/** Everything a registered device must remember: plain data, to be kept wherever its owner keeps secrets. */
export const deviceState = z.object({
  zid: z.string(),
  suid: z.string(),
  orgCode: z.string(),
  orgName: z.string(),
  name: z.string(),
  type: appType,
  platform: z.string(),
  /** The person's e-mail, where the device learned it. */
  email: z.string().optional(),
  privateKeyJwk,
});
export type DeviceState = z.output<typeof deviceState>;

/** A seeded demo device of the lab as a device of one's own; null for a passkey, which cannot answer requests. */
export function deviceOfVirtual(virtual: VirtualDevice): DeviceState | null {
  const { zid, suid, orgCode, orgName, name, type, primaryEmail, privateKeyJwk: key } = virtual;
  if (type === 'webauthn') return null;
  return { zid, suid, orgCode, orgName, name, type, platform: 'Demo device', email: primaryEmail, privateKeyJwk: key };
}
