import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id, secret } from '../fields.ts';
import { portalOidcFields } from './provisioning.ts';

/**
 * Writes that need a fresh approval on the caller's own device (decision 141): exactly this content, once, within two
 * minutes. The save then carries the `approvalId`. Each further such write is another member of this union.
 */
const toBeApproved = z.union([z.object({ action: z.literal('save-oidc-configuration'), content: portalOidcFields })]);
export type ToBeApproved = z.output<typeof toBeApproved>;

export const beginApproval = endpoint({
  method: 'POST',
  path: '/user/approval',
  area: 'Session and profile',
  summary: 'Ask for a fresh approval on your own device, for something you want to save',
  // The permission of the union's only write.
  access: { who: 'permission', permission: 'ADD_UPDATE_OIDC_CONFIGURATION' },
  unversioned: 'acts',
  body: toBeApproved,
  reply: z.object({
    /** Sent with the save. */
    approvalId: secret(z.string()),
    /** The two digits to pick on the device. */
    matchNumber: z.string(),
    /** Seconds until the request expires. */
    idTimeout: z.number().int(),
  }),
  refusesWith: { 429: 'BAD_REQUEST' },
  events: ['approval.requested'],
});

/** Found by its id alone, which is the secret of the browser that asked. */
export const approvalState = endpoint({
  method: 'GET',
  path: '/user/approval/:approvalId',
  area: 'Session and profile',
  summary: 'Whether something has been approved on the device',
  access: { who: 'public' },
  params: z.object({ approvalId: secret(id) }),
  reply: z.object({ state: z.enum(['pending', 'approved', 'denied', 'expired']) }),
});
export type ApprovalState = z.output<(typeof approvalState)['reply']>['state'];
