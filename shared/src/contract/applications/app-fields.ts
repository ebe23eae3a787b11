import { z } from 'zod';
import { id, optionalDisplayText, orgCode, text, wholeNumber } from '../../fields.ts';
import { LIMITS } from '../../limits.ts';
import { collapseSpaces } from '../../names.ts';
import { urlField, urlList } from '../../url-field.ts';

/** Applications (spec 2 §3, §5, §7). Durations are seconds; the forms show some of them in minutes. */
export const integrationType = z.enum(['oidc', 'saml', 'portal', 'ldap', 'radius']);
export type IntegrationType = z.output<typeof integrationType>;

/**
 * How a RADIUS application asks: a request that the device answers while the client waits; the same with a number to
 * pick, shown in an Access-Challenge; or a code to type into the authenticator, shown likewise.
 */
export const radiusMethod = z.enum(['push', 'number', 'code']);
export type RadiusMethod = z.output<typeof radiusMethod>;

/**
 * Between a portal and a server that speaks RADIUS or LDAP: printable ASCII, because such servers have it in a file.
 */
export const sharedSecret = text(128)
  .min(8, 'At least 8 characters')
  .regex(/^[\x21-\x7e]*$/, 'Use only letters (A-Z, a-z), numbers (0-9) and symbols, without spaces');

export const APP_NAME_PATTERN = /^[A-Za-z0-9 /_+=.@!-]*$/;

export const appName = text(LIMITS.appNameMaxLength)
  .regex(APP_NAME_PATTERN, 'Use only letters (A-Z, a-z), numbers (0-9), space and the symbols (/_+=.@!-)')
  .overwrite(collapseSpaces);
export const appDescription = optionalDisplayText(LIMITS.appDescriptionMaxLength, { isMultiline: true });

/** An id in an address: letters, digits, `-` and `_`. */
export const appId = id;
export const appPath = z.object({ orgCode, appId });

/** What a list says that must have an address. */
export const NO_ADDRESS = 'At least one address';

/** Whole seconds, at most ten years. */
export const seconds = wholeNumber(0, 315_360_000, 'At most ten years');

/**
 * Where a client may be redirected: an absolute http, https or (for native apps) reverse-domain address, without a
 * fragment and without wildcards (RFC 6749 §3.1.2, RFC 8252 §7.1). `localhost` is allowed.
 */
export const callbackUrl = urlField('redirect');

/** A web address to redirect a browser to, or to call: http or https, otherwise like `callbackUrl`. */
export const webAddress = urlField('web');

export const someUrls = urlList(callbackUrl);

export const loginOptions = z.object({
  /** Seconds for which a browser is remembered; 0 = not at all. */
  maxCookieLife: seconds,
  didEnabled: z.boolean(),
  webAuthnEnabled: z.boolean(),
  desktopAppEnabled: z.boolean(),
  forceAuthnEnabled: z.boolean(),
});

/**
 * Who may use an application: people of these roles, and these people by their `suid`. Null: everybody. Both empty:
 * nobody.
 */
export const appUsers = z
  .object({
    roles: z.array(id).max(100, 'At most 100 roles').default([]),
    people: z
      .array(id)
      .max(LIMITS.peopleOfApp, `At most ${LIMITS.peopleOfApp} people: put them into a group instead`)
      .default([]),
    /** By their ids. */
    groups: z.array(id).max(LIMITS.groupsOfApp, `At most ${LIMITS.groupsOfApp} groups`).default([]),
  })
  .nullable();
export type AppUsers = z.output<typeof appUsers>;

/** The page on which people start with an application that has one; '' for none. */
export const startUrl = z.literal('').or(webAddress);

export const application = loginOptions.extend({
  appId: z.string(),
  orgCode: z.string(),
  name: z.string(),
  description: z.string(),
  integrationType,
  /** Whether people sign in to it: nobody does to a machine, which has no use for login options. */
  hasSignIn: z.boolean(),
  startUrl: z.string(),
  /** Address of the logo, null where it has none. */
  logo: z.string().nullable(),
});
export type Application = z.output<typeof application>;

/** Who may read and change applications of every type, and what belongs to them all. */
export const appAccess = { who: 'permission', permission: 'SESSION_MANAGEMENT' } as const;

/**
 * Who may read and change an application: those, and of SAML applications also people who may configure these alone.
 */
export const eachAppAccess = { ...appAccess, forSaml: 'ADD_UPDATE_SAML_CONFIGURATION' } as const;
