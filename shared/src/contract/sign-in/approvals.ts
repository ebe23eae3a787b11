import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, secret } from '../../fields.ts';
import { portalOidcFields } from '../provisioning/provisioning.ts';

/**
 * Actions that need a fresh approval on the caller's own device (decision 140), for exactly this content. The request
 * that follows contains the `approvalId`. Each further action is another member of this union.
 */
const toBeApproved = z.discriminatedUnion('action', [
  /** For ten minutes: adding devices and passkeys, and getting activation codes, in a session without a device. */
  z.object({ action: z.literal('add-device'), content: z.object({}) }),
  /** The approval itself also allows the new device to approve. */
  z.object({ action: z.literal('confirm-device'), content: z.object({ zid: id }) }),
  /** Once, within two minutes. Requires the permission to save it. */
  z.object({ action: z.literal('save-oidc-configuration'), content: portalOidcFields }),
]);
export type ToBeApproved = z.output<typeof toBeApproved>;

/** An approval of `add-device`: required in a session that a remembered browser or another provider started. */
export const addDeviceApproval = secret(id).optional();

export const beginApproval = endpoint({
  method: 'POST',
  path: '/user/approval',
  area: 'Session and profile',
  summary: 'Request a fresh approval on your own device',
  access: { who: 'signed-in' },
  unversioned: 'acts',
  body: toBeApproved,
  reply: z.object({
    /** Sent with the request that needs it. */
    approvalId: secret(z.string()),
    /** The two digits to pick on the device. */
    matchNumber: z.string(),
    /** Seconds until the request expires. */
    idTimeout: z.number().int(),
  }),
  refuses: ['AUTHENTICATION_INCOMPLETE', 'INVALID_PERMISSIONS'],
  refusesWith: { 429: 'BAD_REQUEST' },
  events: ['approval.requested'],
});

/** Found by its id alone, which is the secret of the browser that requested it. */
export const approvalState = endpoint({
  method: 'GET',
  path: '/user/approval/:approvalId',
  area: 'Session and profile',
  summary: 'Get the state of an approval on the device',
  access: { who: 'public' },
  params: z.object({ approvalId: secret(id) }),
  reply: z.object({ state: z.enum(['pending', 'approved', 'denied', 'expired']) }),
});
export type ApprovalState = z.output<(typeof approvalState)['reply']>['state'];
