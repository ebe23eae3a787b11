import { z } from 'zod';
import { id, optionalDisplayText, orgCode, text, wholeNumber } from '../../fields.ts';
import { LIMITS } from '../../limits.ts';
import { collapseSpaces } from '../../names.ts';
import { urlField, urlList } from '../../url-field.ts';

/** Applications (spec 2 §3, §5, §7). Durations are in seconds; the forms show some of them in minutes. */
export const integrationType = z.enum(['oidc', 'saml', 'portal', 'ldap', 'radius']);
export type IntegrationType = z.output<typeof integrationType>;

/**
 * Sign-in methods of RADIUS applications: a request that the device answers while the client waits; the same with a
 * number to pick, shown in an Access-Challenge; or a code to type into the authenticator, also shown in an
 * Access-Challenge.
 */
export const radiusMethod = z.enum(['push', 'number', 'code']);
export type RadiusMethod = z.output<typeof radiusMethod>;

/** Secret shared with a RADIUS or LDAP server: printable ASCII, because such servers store it in a file. */
export const sharedSecret = text(128)
  .min(8, 'At least 8 characters')
  .regex(/^[\x21-\x7e]*$/, 'Use only letters (A-Z, a-z), numbers (0-9) and symbols, without spaces');

export const APP_NAME_PATTERN = /^[A-Za-z0-9 /_+=.@!-]*$/;

export const appName = text(LIMITS.appNameMaxLength)
  .regex(APP_NAME_PATTERN, 'Use only letters (A-Z, a-z), numbers (0-9), space and the symbols (/_+=.@!-)')
  .overwrite(collapseSpaces);
export const appDescription = optionalDisplayText(LIMITS.appDescriptionMaxLength, { isMultiline: true });

/** An id in a URL: letters, digits, `-` and `_`. */
export const appId = id;
export const appPath = z.object({ orgCode, appId });

/** Message for an empty list that needs a URL. */
export const NO_ADDRESS = 'At least one address';

/** Whole seconds, at most ten years. */
export const seconds = wholeNumber(0, 315_360_000, 'At most ten years');

/**
 * URL that a client can be redirected to: an absolute http, https or (for native apps) private-use scheme URL, without
 * a fragment and without wildcards (RFC 6749 §3.1.2, RFC 8252 §7.1). `localhost` is allowed.
 */
export const callbackUrl = urlField('redirect');

/** Web URL to redirect a browser to, or to call: http or https, otherwise like `callbackUrl`. */
export const webAddress = urlField('web');

export const someUrls = urlList(callbackUrl);

export const loginOptions = z.object({
  /** Seconds for which a browser is remembered; 0 = not remembered. */
  maxCookieLife: seconds,
  didEnabled: z.boolean(),
  webAuthnEnabled: z.boolean(),
  desktopAppEnabled: z.boolean(),
  forceAuthnEnabled: z.boolean(),
});

/**
 * Members who can use an application: those with these roles, in these groups, or with these `suid`s. Null: all
 * members. All empty: none.
 */
export const appUsers = z
  .object({
    roles: z.array(id).max(100, 'At most 100 roles').default([]),
    people: z
      .array(id)
      .max(LIMITS.peopleOfApp, `At most ${LIMITS.peopleOfApp} people: put them into a group instead`)
      .default([]),
    /** Ids of the groups. */
    groups: z.array(id).max(LIMITS.groupsOfApp, `At most ${LIMITS.groupsOfApp} groups`).default([]),
  })
  .nullable();
export type AppUsers = z.output<typeof appUsers>;

/** URL where people start using the application, or ''. */
export const startUrl = z.literal('').or(webAddress);

export const application = loginOptions.extend({
  appId: z.string(),
  orgCode: z.string(),
  name: z.string(),
  description: z.string(),
  integrationType,
  /** False for service clients, which no one signs in to and which need no login options. */
  hasSignIn: z.boolean(),
  startUrl: z.string(),
  /** URL of the logo, or null. */
  logo: z.string().nullable(),
});
export type Application = z.output<typeof application>;

/** Permission to read and change applications of all types and their shared data. */
export const appAccess = { who: 'permission', permission: 'SESSION_MANAGEMENT' } as const;

/**
 * Permission to read and change one application: the above, or for SAML applications only the permission to configure
 * them.
 */
export const eachAppAccess = { ...appAccess, forSaml: 'ADD_UPDATE_SAML_CONFIGURATION' } as const;
