import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { email, nameText, newOrgCode, personName, secret, text } from '../../fields.ts';
import { appType } from '../members/activation.ts';
import { brandColor } from './settings.ts';

const area = 'Session and profile';
const access = { who: 'public' } as const;

export const readSetup = endpoint({
  method: 'GET',
  path: '/setup',
  area,
  summary: 'Check whether the portal is waiting for its first administrator, and in which organisations',
  access,
  reply: z.object({
    isOpen: z.boolean(),
    /** True if there are no organisations yet. The setup then creates the first one. */
    isEmpty: z.boolean(),
    /** True if this is a local portal whose lab can be used without a token. */
    hasOpenLab: z.boolean(),
  }),
});

/** The first-run screen's form. */
export const setupForm = z.object({
  /** The setup code that the server printed on startup. */
  code: secret(text(40, 'This field is required')),
  orgCode: newOrgCode,
  /** Name of a new organisation. Default: its code. */
  orgName: nameText(100).optional(),
  /** Brand colour for a new organisation, e.g. `#1E3A8A`. */
  color: brandColor.optional(),
  firstName: personName(),
  lastName: personName(),
  email,
});
export type SetupForm = z.output<typeof setupForm>;

export const setUp = endpoint({
  method: 'POST',
  path: '/setup',
  area,
  summary:
    "Create the first administrator, and the first organisation if there is none, using the setup code from the server's output",
  access,
  body: setupForm,
  /** Data for registering the administrator's first device. */
  reply: z.object({
    suid: z.string(),
    orgCode: z.string(),
    /** App that the code is for: the mobile app, unless the organisation has turned it off. */
    type: appType,
    activationCode: secret(z.string()),
    activationExpiry: z.string(),
  }),
  refuses: ['ORG_CODE_NOT_FOUND', 'USER_EXISTS', 'EXPIRED', 'FORBIDDEN'],
  events: ['member.created', 'activation-code.issued', 'activation-code.mailed'],
});
