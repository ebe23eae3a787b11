import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id } from '../fields.ts';
import { deviceType } from './models.ts';

/** A browser that is signed in to the portal. */
const signedInBrowser = z.object({
  id: z.string(),
  /** '' for a session that is older than this field. */
  userAgent: z.string(),
  ip: z.string(),
  /** How the person signed in, e.g. `QID`. */
  mode: z.string(),
  /** The device that approved; '' where an external provider did. */
  deviceName: z.string(),
  createdAt: z.string(),
  /** When it was last renewed, every ten minutes at most; the beginning where it has not been yet. */
  lastUsedAt: z.string(),
  expiresAt: z.string(),
  /** The one that asks. */
  isThis: z.boolean(),
});
export type SignedInBrowser = z.output<typeof signedInBrowser>;

/** An application that a person is signed in to by OpenID Connect. SAML leaves nothing here that could end (decision 148). */
const signedInApplication = z.object({
  id: z.string(),
  appName: z.string(),
  /** The device that approved. */
  deviceName: z.string(),
  expiresAt: z.string(),
});
export type SignedInApplication = z.output<typeof signedInApplication>;

/** A browser that may sign the person in again without the device. */
const rememberingBrowser = z.object({
  id: z.string(),
  userAgent: z.string(),
  ip: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.string(),
});

/** Those who may disable a person may also see where that person is signed in, and end it; nobody above their own standing (32). */
const access = { who: 'member', own: true, others: ['PAUSE_USER'] } as const;

export const listSessions = endpoint({
  method: 'GET',
  path: '/user/sessions',
  area: 'Session and profile',
  summary: 'Where a member is signed in: the portal, applications, and the browsers that remember the member',
  access,
  query: z.object({ suid: id.optional() }),
  reply: z.object({
    sessions: z.array(signedInBrowser),
    applications: z.array(signedInApplication),
    browsers: z.array(rememberingBrowser),
  }),
});

export const endSession = endpoint({
  method: 'POST',
  path: '/user/sessions/end',
  unversioned: 'acts',
  area: 'Session and profile',
  summary: 'End one sign-in of a member, or all but the one that asks',
  access,
  body: z
    .object({
      suid: id.optional(),
      /** `all` also forgets the browsers that remember the member, the one that asks included. */
      what: z.enum(['session', 'application', 'browser', 'all']),
      id: id.optional(),
    })
    .refine(({ what, id: named }) => what === 'all' || named !== undefined, {
      path: ['id'],
      message: 'This field is required',
    }),
  reply: z.object({
    /** Sessions of the portal that have ended. */
    ended: z.number().int(),
  }),
  events: ['session.ended', 'browser.forgotten'],
});

export const disownLogin = endpoint({
  method: 'POST',
  path: '/user/loginhistory/disown',
  unversioned: 'acts',
  area: 'Session and profile',
  summary: 'Say that a sign-in was not yours: what it has signed in since then ends, and the administrators are told',
  access: { who: 'signed-in' },
  body: z.object({ id }),
  reply: z.object({
    /** Sessions that have ended, and browsers that are forgotten. */
    ended: z.number().int(),
    /** The device that approved, where it can still be paused or reported lost. */
    device: z
      .object({
        zid: z.string(),
        name: z.string(),
        type: deviceType,
        status: z.enum(['active', 'paused']),
        isThisSignIn: z.boolean(),
      })
      .nullable(),
  }),
  refuses: ['AUTH_HISTORY_MISSING'],
  events: ['sign-in.disowned'],
});
