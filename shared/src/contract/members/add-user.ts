import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { displayText, id, optionalText } from '../../fields.ts';
import { LIMITS } from '../../limits.ts';
import { composed } from '../../names.ts';
import { member } from '../models.ts';
import { appType } from './activation.ts';
import { editUserForm } from './members.ts';

/** The form that adds a member, which is also the request body. */
export const addUserForm = editUserForm.extend({
  /** The organisation's own identifier for the member, e.g. an employee number. Unique within the organisation. */
  primaryAttr: displayText(LIMITS.primaryAttrMaxLength, 'This field is required').overwrite(composed),
  /** Mobile number in international format, e.g. `+46701234567`, or empty. */
  mobileNumber: optionalText(40).default(''),
  /** `suid` of the member's manager, who is then marked as a manager. */
  managerSuid: id.optional(),
  hasPermissionForMobileApp: z.boolean().default(true),
  hasPermissionForWindowsApp: z.boolean().default(true),
  /** App that the member is immediately invited to by email. Default: none. */
  invite: appType.optional(),
});
export type AddUserForm = z.output<typeof addUserForm>;

/**
 * Adds a member. `roles` other than USER also require UPDATE_USER, and members can't grant permissions that they
 * don't have themselves: INVALID_PERMISSIONS. Each refusal names its field in `issues`: USER_EXISTS means that
 * another member has the primary attribute, ID_DOESNOT_EXIST that the role or manager doesn't exist.
 */
export const addUser = endpoint({
  method: 'POST',
  path: '/user/add',
  unversioned: 'creates',
  area: 'People',
  summary: 'Add a member, and optionally invite them',
  access: { who: 'permission', permission: 'BULK_INVITE' },
  body: addUserForm,
  reply: z.object({ profile: member }),
  refuses: [
    'EMAIL_EXISTS',
    'USER_EXISTS',
    'ID_DOESNOT_EXIST',
    'INVALID_DOMAIN',
    'INVALID_MOBILE_NUMBER',
    'PHONE_ALREADY_EXISTS',
    'MOBILE_APP_NOT_ENABLED',
    'DESKTOP_APP_NOT_ENABLED',
    'AUTHENTICATOR_DISALLOWED',
    'AUTHENTICATION_INCOMPLETE',
  ],
  events: ['member.created', 'member.invited'],
});
