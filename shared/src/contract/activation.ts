import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { email, text } from '../fields.ts';
import { activationData } from './models.ts';

export const appType = z.enum(['mobile', 'desktop']);
export type AppType = z.output<typeof appType>;

export const getActivationCode = endpoint({
  method: 'GET',
  path: '/user/activation-code',
  area: 'Activation',
  summary: "The caller's own desktop activation data",
  access: { who: 'signed-in' },
  reply: activationData,
});

/** A new activation code: 6 digits, 24 h, single use; it voids the last one. Own desktop codes need no permission. */
export const regenerateActivationCode = endpoint({
  method: 'POST',
  path: '/user/regenerateinvcode',
  area: 'Activation',
  summary: 'Generate an activation code, and e-mail it when asked to',
  access: {
    who: 'member',
    own: ['GENERATE_ACT_CODE'],
    others: ['GENERATE_ACT_CODE'],
    when: {
      field: 'type',
      is: 'desktop',
      rights: { own: true, others: ['GENERATE_ACT_CODE', 'GENERATE_ACT_CODE_DESKTOP'] },
    },
  },
  body: z.object({
    email: email.optional(),
    primaryAttr: text(254),
    sendEmail: z.boolean().default(false),
    type: appType,
  }),
  reply: activationData,
  refuses: ['USER_ALREADY_ACTIVE', 'USER_INACTIVE', 'DESKTOP_APP_NOT_ENABLED', 'MOBILE_APP_NOT_ENABLED'],
});
