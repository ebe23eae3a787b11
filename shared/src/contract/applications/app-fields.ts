import { z } from 'zod';
import { id, optionalDisplayText, orgCode, text, wholeNumber } from '../../fields.ts';
import { LIMITS } from '../../limits.ts';
import { collapseSpaces } from '../../names.ts';
import { urlField, urlList } from '../../url-field.ts';

/** Applications (spec 2 §3, §5, §7). Durations are in seconds, although forms show some of them in minutes. */
export const integrationType = z.enum(['oidc', 'saml', 'portal', 'ldap', 'radius']);
export type IntegrationType = z.output<typeof integrationType>;

/**
 * Sign-in methods of RADIUS applications. `push`: the device answers a request while the client waits. `number`: like
 * `push`, plus a number to pick that is shown in an Access-Challenge. `code`: a code to type into the authenticator,
 * also shown in an Access-Challenge.
 */
export const radiusMethod = z.enum(['push', 'number', 'code']);
export type RadiusMethod = z.output<typeof radiusMethod>;

/** Secret shared with a RADIUS or LDAP server. Must be printable ASCII because these servers store it in a file. */
export const sharedSecret = text(128)
  .min(8, 'Use at least 8 characters')
  .regex(/^[\x21-\x7e]*$/, 'Use only letters (A-Z, a-z), numbers (0-9) and symbols, without spaces');

export const APP_NAME_PATTERN = /^[A-Za-z0-9 /_+=.@!-]*$/;

export const appName = text(LIMITS.appNameMaxLength)
  .regex(APP_NAME_PATTERN, 'Use only letters (A-Z, a-z), numbers (0-9), space and the symbols (/_+=.@!-)')
  .overwrite(collapseSpaces);
export const appDescription = optionalDisplayText(LIMITS.appDescriptionMaxLength, { isMultiline: true });

/** An application ID in URLs: letters, digits, `-` and `_`. */
export const appId = id;
export const appPath = z.object({ orgCode, appId });

/** Message for an empty list that requires a URL. */
export const NO_ADDRESS = 'Add at least one address';

/** A duration in whole seconds, at most ten years. */
export const seconds = wholeNumber(0, 315_360_000, 'Enter at most ten years');

/**
 * URL a client can be redirected to: an absolute http or https URL, or a private-use scheme URL for native apps,
 * without a fragment or wildcards (RFC 6749 §3.1.2, RFC 8252 §7.1). `localhost` is allowed.
 */
export const callbackUrl = urlField('redirect');

/** Web URL to call or to redirect a browser to: http or https, otherwise like `callbackUrl`. */
export const webAddress = urlField('web');

export const someUrls = urlList(callbackUrl);

export const loginOptions = z.object({
  /**
   * How long a browser is remembered, in seconds; 0 to not remember browsers. The organisation's `maxCookieLife`, in
   * minutes, limits it.
   */
  maxCookieLife: seconds,
  didEnabled: z.boolean(),
  webAuthnEnabled: z.boolean(),
  desktopAppEnabled: z.boolean(),
  forceAuthnEnabled: z.boolean(),
});

/** A member as `getApp` returns it. Only the ID counts. */
const listedMember = z.object({ suid: id, name: z.unknown(), email: z.unknown() }).transform(({ suid }) => suid);

/** A group as `getApp` returns it. Only the ID counts. */
const listedGroup = z.object({ groupId: id, displayName: z.unknown() }).transform(({ groupId }) => groupId);

/**
 * Members who can use an application, selected by role, group or `suid`. Null allows everyone. If all lists are
 * empty, no one can use it.
 */
export const appUsers = z
  .object({
    roles: z.array(id).max(100, 'You can add at most 100 roles').default([]),
    /** Values of `suid`, or members as `getApp` returns them. */
    people: z
      .array(id.or(listedMember))
      .max(LIMITS.peopleOfApp, `You can add at most ${LIMITS.peopleOfApp} people. For more, use a group`)
      .default([]),
    /** Group IDs, or groups as `getApp` returns them. */
    groups: z
      .array(id.or(listedGroup))
      .max(LIMITS.groupsOfApp, `You can add at most ${LIMITS.groupsOfApp} groups`)
      .default([]),
  })
  .nullable();
export type AppUsers = z.output<typeof appUsers>;

/** URL where people open the application, or empty. */
export const startUrl = z.literal('').or(webAddress);

export const application = loginOptions.extend({
  appId: z.string(),
  orgCode: z.string(),
  name: z.string(),
  description: z.string(),
  integrationType,
  /** False for service clients. No one signs in to them, so they need no login options. */
  hasSignIn: z.boolean(),
  startUrl: z.string(),
  /** Logo URL, or null. */
  logo: z.string().nullable(),
});
export type Application = z.output<typeof application>;

/**
 * Maximum size of a body with SAML metadata, in bytes. Escapes make XML larger in JSON, so the limit is twice the
 * metadata limit plus the other fields.
 */
export const APP_BODY_BYTES = 2 * LIMITS.samlMetadataBytes + LIMITS.jsonBodyBytes;

/** Permission to read and change applications of all types and the data they share. */
export const appAccess = { who: 'permission', permission: 'SESSION_MANAGEMENT' } as const;

/**
 * Permission to read and change a single application: `appAccess` or, for SAML applications, the permission to
 * configure them.
 */
export const eachAppAccess = { ...appAccess, forSaml: 'ADD_UPDATE_SAML_CONFIGURATION' } as const;
