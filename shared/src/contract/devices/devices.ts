import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, nickname, orgCode, secret, text } from '../../fields.ts';
import { appType } from '../members/activation.ts';
import { activationData } from '../models.ts';
import { addDeviceApproval } from '../sign-in/approvals.ts';

export const codeKind = z.enum(['QID', 'DID']);
export type CodeKind = z.output<typeof codeKind>;

export const addDevice = endpoint({
  method: 'POST',
  path: '/device/add',
  unversioned: 'acts',
  area: 'Devices',
  summary: 'Create a code for adding a new device',
  access: { who: 'member', own: true },
  body: z.object({ suid: id, type: codeKind, mode: appType, approvalId: addDeviceApproval }),
  reply: z.object({
    /** QID: 128 random bits for the QR code. DID: the eight characters a user types. */
    aid: secret(z.string()),
    /** Time until the code expires, in seconds. */
    confirmExpDur: z.number().int(),
    /** Time for entering the verification code once a device has connected, in seconds. */
    verifyExpDur: z.number().int(),
    /** The signed-in member's valid desktop activation code, if any. */
    activationCode: secret(z.string()).optional(),
  }),
  refuses: [
    'DEVICE_ADD_LIMIT_REACHED',
    'DESKTOP_APP_NOT_ENABLED',
    'MOBILE_APP_NOT_ENABLED',
    'AUTHENTICATOR_DISALLOWED',
    'AUTHENTICATION_INCOMPLETE',
  ],
  // Records nothing yet: the device isn't registered until it has connected and its owner has confirmed it.
  events: [],
});

export const deleteDevice = endpoint({
  method: 'POST',
  path: '/device/delete',
  unversioned: 'deletes',
  area: 'Devices',
  summary: 'Delete a device, or report it lost',
  access: {
    who: 'member',
    own: ['REMOVE_DEVICE'],
    reports: ['REMOVE_REPORTEE_DEVICE'],
    others: ['REMOVE_DEVICE_FOR_OTHER_USERS'],
    when: {
      field: 'action',
      is: 'LOST_DEVICE',
      rights: {
        own: ['REPORT_LOST_DEVICE'],
        others: ['REPORT_LOST_DEVICE_FOR_OTHER_USERS'],
      },
    },
  },
  body: z.object({ zid: id, suid: id, action: z.enum(['LOST_DEVICE']).optional() }),
  reply: z.object({}),
  refuses: ['AT_LEAST_ONE_DEVICE_MUST_EXIST', 'FORBIDDEN', 'AUTHENTICATION_INCOMPLETE'],
  refusalStatus: { FORBIDDEN: 200 },
  events: ['device.deleted', 'device.lost'],
});

/**
 * Replaces a lost phone in a single step. All of the device's sessions end, and the member receives an email with the
 * code for registering the next device. If the code is refused, the device is left unchanged.
 */
export const replaceDevice = endpoint({
  method: 'POST',
  path: '/device/replace',
  unversioned: 'deletes',
  area: 'Devices',
  summary: 'Report a device lost and email its owner an activation code for the next device',
  access: {
    who: 'member',
    own: ['REPORT_LOST_DEVICE', 'SEND_ACT_CODE_EMAIL', 'GENERATE_ACT_CODE'],
    others: ['REPORT_LOST_DEVICE_FOR_OTHER_USERS', 'SEND_ACT_CODE_EMAIL', 'GENERATE_ACT_CODE'],
    when: {
      field: 'type',
      is: 'desktop',
      rights: {
        own: ['REPORT_LOST_DEVICE', 'SEND_ACT_CODE_EMAIL'],
        others: [
          'REPORT_LOST_DEVICE_FOR_OTHER_USERS',
          'SEND_ACT_CODE_EMAIL',
          'GENERATE_ACT_CODE',
          'GENERATE_ACT_CODE_DESKTOP',
        ],
      },
    },
  },
  body: z.object({
    zid: id,
    suid: id,
    /** App that the code activates. */
    type: appType,
  }),
  /** Omits the code itself if a remembered browser or another provider started the owner's session. */
  reply: activationData,
  refuses: [
    'AUTHENTICATION_INCOMPLETE',
    'USER_ALREADY_ACTIVE',
    'USER_INACTIVE',
    'DESKTOP_APP_NOT_ENABLED',
    'MOBILE_APP_NOT_ENABLED',
    'AUTHENTICATOR_DISALLOWED',
  ],
  events: ['device.lost', 'activation-code.issued', 'activation-code.mailed'],
});

export const manageDevice = endpoint({
  method: 'POST',
  path: '/device/manage',
  unversioned: 'acts',
  area: 'Devices',
  summary: 'Pause a device or enable it again',
  access: {
    who: 'member',
    own: ['PAUSE_DEVICE'],
    others: ['PAUSE_DEVICE_FOR_OTHER_USERS'],
  },
  body: z.object({
    zid: id,
    suid: id,
    primaryAttr: text(254).optional(),
    action: z.enum(['pause', 'enable']),
    mode: text(20).optional(),
  }),
  reply: z.object({}),
  refuses: ['AT_LEAST_ONE_DEVICE_MUST_EXIST', 'FORBIDDEN', 'AUTHENTICATION_INCOMPLETE'],
  refusalStatus: { FORBIDDEN: 200 },
  events: ['device.paused', 'device.unpaused'],
});

export const nameDevice = endpoint({
  method: 'POST',
  path: '/device/nickname',
  unversioned: 'one field',
  area: 'Devices',
  summary: "Set or clear a device's nickname",
  access: { who: 'member', own: true },
  body: z.object({ zid: id, suid: id, nickname }),
  reply: z.object({ nickName: z.string() }),
  events: ['device.renamed'],
});

export const testDevice = endpoint({
  method: 'GET',
  path: '/device/test/:orgCode',
  area: 'Devices',
  summary: 'Create codes for testing a device',
  access: { who: 'signed-in' },
  params: z.object({ orgCode }),
  reply: z.object({ qid: secret(z.string()), did: secret(z.string()), idTimeout: z.number().int() }),
});
