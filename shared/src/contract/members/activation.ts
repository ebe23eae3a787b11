import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { email, optionalText, orgCode, secret, text } from '../../fields.ts';
import { activationData } from '../models.ts';
import { addDeviceApproval } from '../sign-in/approvals.ts';

export const appType = z.enum(['mobile', 'desktop']);
export type AppType = z.output<typeof appType>;

export const getActivationCode = endpoint({
  method: 'GET',
  path: '/user/activation-code',
  area: 'Activation',
  summary: 'Get your own desktop activation data',
  access: { who: 'signed-in' },
  query: z.object({ approvalId: addDeviceApproval }),
  reply: activationData,
  refuses: ['AUTHENTICATION_INCOMPLETE'],
});

const codeRights = {
  who: 'member',
  own: ['GENERATE_ACT_CODE'],
  others: ['GENERATE_ACT_CODE'],
  when: {
    field: 'type',
    is: 'desktop',
    rights: { own: true, others: ['GENERATE_ACT_CODE', 'GENERATE_ACT_CODE_DESKTOP'] },
  },
} as const;

const codeRequest = z.object({
  /** The member's own email. Combining one member's email with another member's attribute is refused. */
  email,
  primaryAttr: text(254),
  sendEmail: z.boolean().default(false),
  type: appType,
  approvalId: addDeviceApproval,
});

/**
 * Generates an activation code: 6 digits, valid for 24 h, single use. The previous code becomes invalid. Members need
 * no permission for their own desktop codes.
 */
export const regenerateActivationCode = endpoint({
  method: 'POST',
  path: '/user/regenerateinvcode',
  unversioned: 'acts',
  area: 'Activation',
  summary: 'Generate an activation code, and optionally email it',
  access: codeRights,
  body: codeRequest,
  reply: activationData,
  refuses: [
    'AUTHENTICATION_INCOMPLETE',
    'USER_ALREADY_ACTIVE',
    'USER_INACTIVE',
    'DESKTOP_APP_NOT_ENABLED',
    'MOBILE_APP_NOT_ENABLED',
    'AUTHENTICATOR_DISALLOWED',
    'EMAIL_OR_CODE_MISMATCH',
  ],
  events: ['activation-code.issued', 'activation-code.mailed'],
});

export const emailActivationCode = endpoint({
  method: 'POST',
  path: '/services/email',
  unversioned: 'acts',
  area: 'Activation',
  summary: 'Email the activation code if at least half of its lifetime is left (CODE_RESENT), otherwise a new code',
  access: {
    who: 'member',
    own: ['SEND_ACT_CODE_EMAIL', 'GENERATE_ACT_CODE'],
    others: ['SEND_ACT_CODE_EMAIL', 'GENERATE_ACT_CODE'],
    when: {
      field: 'type',
      is: 'desktop',
      rights: {
        own: ['SEND_ACT_CODE_EMAIL'],
        others: ['SEND_ACT_CODE_EMAIL', 'GENERATE_ACT_CODE', 'GENERATE_ACT_CODE_DESKTOP'],
      },
    },
  },
  body: codeRequest,
  reply: activationData,
  news: ['CODE_RESENT'],
  refuses: [
    'AUTHENTICATION_INCOMPLETE',
    'USER_ALREADY_ACTIVE',
    'USER_INACTIVE',
    'DESKTOP_APP_NOT_ENABLED',
    'MOBILE_APP_NOT_ENABLED',
    'AUTHENTICATOR_DISALLOWED',
    'EMAIL_OR_CODE_MISMATCH',
  ],
  events: ['activation-code.issued', 'activation-code.mailed'],
});

/**
 * The link in an invitation. Browsers are redirected to a page under /static; clients that accept JSON get the
 * result. Until the link expires or the member has a device, opening it again has the same result. The code is
 * emailed again only if less than half of its lifetime is left, or if it was replaced. HEAD requests and prefetches
 * (`Sec-Purpose`) don't modify any data.
 */
export const openActivationLink = endpoint({
  method: 'GET',
  path: '/user/activate',
  area: 'Activation',
  summary: 'Open the link in an invitation, which emails an activation code',
  access: { who: 'public' },
  /** Invitation token. Malformed tokens get the same response as tokens that don't exist. */
  query: z.object({ token: secret(optionalText(2_000)).default('').catch('') }),
  redirects: 'browsers',
  reply: z.object({ orgCode, email }),
  refuses: [
    'HEX_STRING_MISMATCH',
    'EXPIRED',
    'ACTIVATION_LINK_CLICKED_TOO_SOON',
    'IP_NOT_VALID',
    'EMAIL_OR_CODE_MISMATCH',
    'USER_ALREADY_ACTIVE',
    'USER_INACTIVE',
    'DESKTOP_APP_NOT_ENABLED',
    'MOBILE_APP_NOT_ENABLED',
    'AUTHENTICATOR_DISALLOWED',
  ],
  events: ['email.verified', 'activation-code.issued', 'activation-code.mailed'],
});
