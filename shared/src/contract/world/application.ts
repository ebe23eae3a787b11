import { z } from 'zod';
import { displayText, id, optionalText, text } from '../../fields.ts';
import { LIMITS, TOKEN_LIFETIMES } from '../../limits.ts';
import { collapseSpaces } from '../../names.ts';
import { urlField, urlList } from '../../url-field.ts';
import { appClaim } from '../applications/app-claims.ts';
import { radiusMethod, seconds, sharedSecret, startUrl, webAddress } from '../applications/app-fields.ts';
import { clientKeys, idTokenAlgorithm } from '../applications/client-keys.ts';
import { clientKind } from '../applications/client-kinds.ts';
import { NAME_ID_FORMATS } from '../applications/saml-fields.ts';
import { provisioningSettings, serviceSecret } from '../provisioning/outbound-provisioning.ts';
import { moment, worldLogo } from './fields.ts';

const secret = z.lazy(() =>
  z.strictObject({
    id: id.optional(),
    name: optionalText(100).default('First'),
    /** Made where not given. */
    secret: text(500).optional(),
    createdAt: moment.optional(),
    expiresAt: moment.optional(),
    lastUsedAt: moment.optional(),
  }),
);

/** Names of groups. */
const groups = z.array(text(LIMITS.groupNameMaxLength)).max(LIMITS.groupsOfApp).default([]);
const claim = z.lazy(() => z.strictObject({ ...appClaim.shape, groups }));

/** An address of the portal itself, whose origin a world does not know. */
const OWN_PATH = /^\/[\w/.-]*$/;

const oidc = z.lazy(() =>
  z.strictObject({
    /** `web` where not given, or a public kind where `secrets` is an empty list. */
    kind: clientKind.optional(),
    redirectUris: urlList(urlField('redirect', OWN_PATH)).default([]),
    postLogoutRedirectUris: urlList(urlField('redirect', OWN_PATH)).default([]),
    ttlIdToken: seconds.default(TOKEN_LIFETIMES.ttlIdToken),
    ttlAccessToken: seconds.default(TOKEN_LIFETIMES.ttlAccessToken),
    ttlAuthorizationCode: seconds.default(TOKEN_LIFETIMES.ttlAuthorizationCode),
    ttlRefreshToken: seconds.default(TOKEN_LIFETIMES.ttlRefreshToken),
    /** Where it is told that somebody has signed out: by us, and by its page that the browser opens. */
    backchannelLogoutUri: webAddress.nullable().default(null),
    frontchannelLogoutUri: webAddress.nullable().default(null),
    claims: z.array(claim).max(LIMITS.claimsOfApp).default([]),
    /** Its public keys, or where it publishes them: then it signs for itself, and its secrets are not accepted. */
    jwks: clientKeys.nullable().default(null),
    jwksUri: webAddress.nullable().default(null),
    idTokenAlg: idTokenAlgorithm.default('RS256'),
    /** Of one that has registered itself: SHA-256 of the token with which it manages itself, base64url. */
    registrationTokenHash: text(100).nullable().default(null),
    /** And the name that it gave itself. */
    registeredName: text(500).nullable().default(null),
    /**
     * One where not given, and none for a public kind or with keys; an application of another kind without any is
     * closed.
     */
    secrets: z.array(secret).max(LIMITS.clientSecrets, `At most ${LIMITS.clientSecrets} secrets`).optional(),
  }),
);

const saml = z.lazy(() =>
  z.strictObject({
    /** As it is: a signature in it covers every blank. */
    metadata: z.string().min(1, "The service provider's metadata is required").max(LIMITS.samlMetadataBytes),
    redirectUrl: optionalText(2_000).default(''),
    encryptAssertions: z.boolean().default(false),
    nameId: displayText(100).default('primaryEmail'),
    nameIdFormat: z.enum(NAME_ID_FORMATS, 'Choose a format from the list').or(z.literal('')).default(''),
    nameIdTransformationTemplate: optionalText(500).default(''),
    attributes: z.array(displayText(200)).max(LIMITS.samlAttributes).default(['primaryEmail']),
    attributesConfig: z
      .array(
        z.strictObject({
          name: displayText(200),
          format: displayText(500).optional(),
          transform: displayText(500).optional(),
        }),
      )
      .max(LIMITS.samlAttributes)
      .default([]),
  }),
);

const radius = z.lazy(() =>
  z.strictObject({
    /** Made where not given. */
    secret: sharedSecret.optional(),
    method: radiusMethod.default('number'),
  }),
);

const ldap = z.lazy(() =>
  z.strictObject({
    /** The password of the account that searches; made where not given. */
    secret: sharedSecret.optional(),
  }),
);

/** The SCIM service to which the people of the application are sent. */
const provisioning = z.lazy(() =>
  z.strictObject({
    ...provisioningSettings.shape,
    /** The token or the password; made where not given. */
    secret: serviceSecret.optional(),
    createdAt: moment.optional(),
  }),
);

export const worldApplication = z.lazy(() =>
  z.strictObject({
    /** Unique in its organisation; the client id of an OIDC application. */
    id,
    name: text(LIMITS.appNameMaxLength).overwrite(collapseSpaces).optional(),
    description: optionalText(LIMITS.appDescriptionMaxLength).default(''),
    type: z.enum(['portal', 'oidc', 'saml', 'ldap', 'radius']).default('oidc'),
    createdAt: moment.optional(),
    /** Seconds. */
    maxCookieLife: seconds.default(0),
    didEnabled: z.boolean().default(true),
    webAuthnEnabled: z.boolean().default(true),
    desktopAppEnabled: z.boolean().default(true),
    forceAuthnEnabled: z.boolean().default(false),
    /**
     * Who may use it: people of these roles and groups, and people by address or id; groups by name. Everybody where
     * not given, or null.
     */
    usableBy: z
      .strictObject({
        roles: z.array(text(60)).max(100).default([]),
        people: z.array(text(254)).max(LIMITS.peopleOfApp).default([]),
        groups,
      })
      .nullable()
      .optional(),
    /** The page on which people start with it; of OIDC and SAML applications. '' and null: none. */
    startUrl: startUrl.optional(),
    logo: worldLogo.nullable().optional(),
    provisioning: provisioning.optional(),
    oidc: oidc.optional(),
    saml: saml.optional(),
    radius: radius.optional(),
    ldap: ldap.optional(),
  }),
);

export type WorldApplication = z.output<typeof worldApplication>;
