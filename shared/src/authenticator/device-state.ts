import { z } from 'zod';
import { deviceDescription } from '../contract/devices/authenticator.ts';
import type { VirtualDevice } from '../contract/lab/lab.ts';
import { appType } from '../contract/members/activation.ts';
import { privateKeyJwk } from './device-key.ts';

/** State of a registered device as plain data. Store it with its owner's other secrets. */
export const deviceState = z.object({
  zid: z.string(),
  suid: z.string(),
  orgCode: z.string(),
  orgName: z.string(),
  name: z.string(),
  type: appType,
  platform: z.string(),
  /** The owner's email address, if known. */
  email: z.string().optional(),
  privateKeyJwk,
});
export type DeviceState = z.output<typeof deviceState>;

/** A device that has connected with an add-device code and is waiting for confirmation in the portal, as plain data. */
export const pairing = z.object({
  pairingId: z.string(),
  orgCode: z.string(),
  orgName: z.string(),
  /** Two characters to enter in the portal. Present only if the add-device code was typed. */
  verificationCode: z.string().optional(),
  expiresAt: z.string(),
  device: deviceDescription,
  privateKeyJwk,
});
export type Pairing = z.output<typeof pairing>;

/**
 * Converts a seeded demo device from the lab to a device that can answer requests. Returns null for a passkey, which
 * can't answer requests.
 */
export function deviceOfVirtual(virtual: VirtualDevice): DeviceState | null {
  const { zid, suid, orgCode, orgName, name, type, primaryEmail, privateKeyJwk: key } = virtual;
  if (type === 'webauthn') return null;
  return { zid, suid, orgCode, orgName, name, type, platform: 'Demo device', email: primaryEmail, privateKeyJwk: key };
}
