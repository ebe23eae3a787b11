import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id } from '../../fields.ts';
import { deviceType } from '../models.ts';

/** A browser that is signed in to the portal. */
const signedInBrowser = z.object({
  id: z.string(),
  /** '' in sessions older than this field. */
  userAgent: z.string(),
  ip: z.string(),
  /** How the person signed in, e.g. `QID`. */
  mode: z.string(),
  /** The device that approved; '' where an external provider did. */
  deviceName: z.string(),
  createdAt: z.string(),
  /** When it was last renewed, at most every ten minutes; its beginning before the first renewal. */
  lastUsedAt: z.string(),
  expiresAt: z.string(),
  /** Whether it is the calling session. */
  isThis: z.boolean(),
});

/**
 * An application that a person is signed in to by OpenID Connect. With SAML there is nothing that could be ended here
 * (decision 011).
 */
const signedInApplication = z.object({
  id: z.string(),
  appName: z.string(),
  /** The device that approved. */
  deviceName: z.string(),
  expiresAt: z.string(),
});

/** A browser that may sign the person in again without the device. */
const rememberingBrowser = z.object({
  id: z.string(),
  userAgent: z.string(),
  ip: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.string(),
});

/**
 * People who may disable a person may also see where they are signed in and end it, but never of somebody who has a
 * permission that they lack: INVALID_PERMISSIONS.
 */
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
      /** `all` also forgets the browsers that remember the member, the calling one included. */
      what: z.enum(['session', 'application', 'browser', 'all']),
      id: id.optional(),
    })
    .refine(({ what, id: named }) => what === 'all' || named !== undefined, {
      path: ['id'],
      message: 'This field is required',
    }),
  reply: z.object({
    /** How many sessions of the portal were ended. */
    ended: z.number().int(),
  }),
  events: ['session.ended', 'browser.forgotten'],
});

export const disownLogin = endpoint({
  method: 'POST',
  path: '/user/loginhistory/disown',
  unversioned: 'acts',
  area: 'Session and profile',
  summary:
    'Report that a sign-in was not yours: what the same device has signed in since ends, and the administrators are told',
  access: { who: 'signed-in' },
  body: z.object({ id }),
  reply: z.object({
    /** How many sessions were ended, and browsers forgotten. */
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
