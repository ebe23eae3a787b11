import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { displayText, id, optionalText } from '../../fields.ts';
import { LIMITS } from '../../limits.ts';
import { composed } from '../../names.ts';
import { member } from '../models.ts';
import { appType } from './activation.ts';
import { editUserForm } from './members.ts';

/** The form that adds one person, and the body of its call. */
export const addUserForm = editUserForm.extend({
  /** The organisation's own name for people, e.g. an employee number: unique among its members. */
  primaryAttr: displayText(LIMITS.primaryAttrMaxLength, 'This field is required').overwrite(composed),
  /** International form, e.g. `+46701234567`; empty for none. */
  mobileNumber: optionalText(40).default(''),
  /** Who the person reports to, and who thereby becomes a manager. */
  managerSuid: id.optional(),
  hasPermissionForMobileApp: z.boolean().default(true),
  hasPermissionForWindowsApp: z.boolean().default(true),
  /** The app for which the person is mailed an invitation at once; absent: none is sent. */
  invite: appType.optional(),
});
export type AddUserForm = z.output<typeof addUserForm>;

/**
 * `roles` other than USER needs UPDATE_USER as well, and nobody grants more than they have: INVALID_PERMISSIONS. Each
 * refusal names its field in `issues`: USER_EXISTS is the primary attribute of another member, ID_DOESNOT_EXIST a role
 * or a manager that there is not.
 */
export const addUser = endpoint({
  method: 'POST',
  path: '/user/add',
  unversioned: 'creates',
  area: 'People',
  summary: 'Add one person, and invite them when asked to',
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
