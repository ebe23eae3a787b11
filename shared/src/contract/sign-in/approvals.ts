import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, secret } from '../../fields.ts';
import { portalOidcFields } from '../provisioning/provisioning.ts';

/**
 * Actions that need a fresh approval on the signed-in member's own device (decision 140), for exactly this content.
 * The subsequent request contains the `approvalId`. To add an action, add a member to this union.
 */
const toBeApproved = z.discriminatedUnion('action', [
  /**
   * For ten minutes, allows adding devices and passkeys, and getting activation codes, in a session that no device
   * approved.
   */
  z.object({ action: z.literal('add-device'), content: z.object({}) }),
  /** The approval itself also allows the new device to approve changes. */
  z.object({ action: z.literal('confirm-device'), content: z.object({ zid: id }) }),
  /** Valid once, within two minutes. Requires permission to save the configuration. */
  z.object({ action: z.literal('save-oidc-configuration'), content: portalOidcFields }),
]);
export type ToBeApproved = z.output<typeof toBeApproved>;

/** ID of an `add-device` approval. Required in a session that a remembered browser or another provider started. */
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
    /** ID to send with the request that needs the approval. */
    approvalId: secret(z.string()),
    /** The two-digit number to choose on the device. */
    matchNumber: z.string(),
    /** Seconds until the request expires. */
    idTimeout: z.number().int(),
  }),
  refuses: ['AUTHENTICATION_INCOMPLETE', 'INVALID_PERMISSIONS'],
  refusesWith: { 429: 'BAD_REQUEST' },
  events: ['approval.requested'],
});

/**
 * Returns an approval's state. The approval is looked up by its ID alone, which only the browser that requested the
 * approval knows.
 */
export const approvalState = endpoint({
  method: 'GET',
  path: '/user/approval/:approvalId',
  area: 'Session and profile',
  summary: 'Get the state of an approval requested on the device',
  access: { who: 'public' },
  params: z.object({ approvalId: secret(id) }),
  reply: z.object({ state: z.enum(['pending', 'approved', 'denied', 'expired']) }),
});
export type ApprovalState = z.output<(typeof approvalState)['reply']>['state'];
