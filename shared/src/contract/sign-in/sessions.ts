import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id } from '../../fields.ts';
import { deviceType } from '../models.ts';

/** A browser that is signed in to the portal. */
const signedInBrowser = z.object({
  id: z.string(),
  /** The browser's user agent. '' in sessions created before this field existed. */
  userAgent: z.string(),
  ip: z.string(),
  /** Sign-in method, e.g. `QID`. */
  mode: z.string(),
  /** Name of the device that approved the sign-in, or '' if an external provider approved it. */
  deviceName: z.string(),
  createdAt: z.string(),
  /** Time of the last renewal, or of the sign-in before the first renewal. Updated at most every ten minutes. */
  lastUsedAt: z.string(),
  expiresAt: z.string(),
  /** True for the session that makes this call. */
  isThis: z.boolean(),
});

/**
 * An application that a member is signed in to through OpenID Connect. SAML sign-ins can't be ended here (decision
 * 011).
 */
const signedInApplication = z.object({
  id: z.string(),
  appName: z.string(),
  /** Name of the device that approved the sign-in. */
  deviceName: z.string(),
  expiresAt: z.string(),
});

/** A browser that can sign the member in again without the device. */
const rememberingBrowser = z.object({
  id: z.string(),
  userAgent: z.string(),
  ip: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.string(),
});

/**
 * Members who can disable another member can also see and end that member's sign-ins, unless the other member has a
 * permission that they lack: INVALID_PERMISSIONS.
 */
const access = { who: 'member', own: true, others: ['PAUSE_USER'] } as const;

export const listSessions = endpoint({
  method: 'GET',
  path: '/user/sessions',
  area: 'Session and profile',
  summary: "List a member's sign-ins to the portal and to applications, and the browsers that remember the member",
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
  summary: "End one of a member's sign-ins, or all except your own",
  access,
  body: z
    .object({
      suid: id.optional(),
      /**
       * What to end. `all` also forgets the browsers that remember the member, including the browser that makes this
       * call.
       */
      what: z.enum(['session', 'application', 'browser', 'all']),
      id: id.optional(),
    })
    .refine(({ what, id: named }) => what === 'all' || named !== undefined, {
      path: ['id'],
      message: 'This field is required',
    }),
  reply: z.object({
    /** Number of portal sessions that were ended. */
    ended: z.number().int(),
  }),
  events: ['session.ended', 'browser.forgotten'],
});

export const disownLogin = endpoint({
  method: 'POST',
  path: '/user/loginhistory/disown',
  unversioned: 'acts',
  area: 'Session and profile',
  summary: "Report that a sign-in wasn't yours; later sign-ins by the same device end, and administrators are notified",
  access: { who: 'signed-in' },
  body: z.object({ id }),
  reply: z.object({
    /** Number of sessions that were ended plus remembered browsers that were removed. */
    ended: z.number().int(),
    /** The device that approved the sign-in, if it can still be paused or reported lost. */
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
