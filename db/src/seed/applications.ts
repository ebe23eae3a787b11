import { nameKey, TOKEN_LIFETIMES, type WorldApplication, type WorldOrganisation } from '@orchestrate/shared';
import type { applications } from '../schema/index.ts';
import type { KeySource } from './key-source.ts';
import { ACME, GLOBEX } from './organisations.ts';
import { Prng } from './prng.ts';

/** Certificate of the service provider below, valid until 2124. Its private key no longer exists. */
const CERTIFICATE = [
  'MIIDHjCCAgagAwIBAgIUDQWnPGWPxEgkJaLN3XUhunrdQcwwDQYJKoZIhvcNAQEL',
  'BQAwMTEZMBcGA1UEAwwQdHJhdmVsLmFjbWUudGVzdDEUMBIGA1UECgwLVHJhdmVs',
  'IERlc2swIBcNMjQwMTAxMDAwMDAwWhgPMjEyNDAxMDEwMDAwMDBaMDExGTAXBgNV',
  'BAMMEHRyYXZlbC5hY21lLnRlc3QxFDASBgNVBAoMC1RyYXZlbCBEZXNrMIIBIjAN',
  'BgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA5WsS80k55C6yyYthtxz89w7gluTU',
  'azgqORqab078R1B4HmXmWmOCkyXso0TzKDPQM8LUYsNh3IcFWG9MlW3Kk9Jco3Qv',
  '4B0/7i6yAvUXyORwdqvVUQ5fXJx0jGrHyYwPdamBQsw082e7qtVjXveJKDldd78A',
  'yBKgRqfij9fx/vqI3vxQ2iRHFBFL7vgwAIgWNLw5nTsiJooDEOtXtpKfvXxg8s/g',
  '90W/n1qR1+hJHxd3onclF/34RuCUbwm3IJCmV0O8AV4Vbr0XiCfWGJsJ/oHFIKJv',
  '7pSPi8n216gQt/I8by4M8BKx9etjP0pDFu//ZG2Acpg6MDZvMah/kwIyBQIDAQAB',
  'oywwKjAJBgNVHRMEAjAAMB0GA1UdDgQWBBS16pk7TjceLI1abhG0dBWETcE+MTAN',
  'BgkqhkiG9w0BAQsFAAOCAQEAsakTpsyP5TIQbaBizglTuMIpwTcmJ2U3fboO7KV6',
  'hSwSUtPJL6NlasfhCBc7Wq7RAsbqXav8SPxCyPGrntIenO+f5GYpplnR7wypd1bQ',
  'P9YAmnRhkWEz8U4b90+oaMSDB3IuZb0yti8GfPWIqhrjqgRcCReFAXLQUCsjQcCT',
  'l6HTkE9+fM7TQYYuxEDAoQqG3OmYDYXD6hRYHR8v0vc+TQS4Rop/kUCx66bRn/p/',
  'esYa4S4j07IZuUfRcpC0Sn5NmQG5f+aRYKJvBrc5QW+cAlmi8EjXFRBWAkRzBpWs',
  'MfWCEc7w5eKihYx0JJOHxJZ829L4UIC5rbJQ8nwIcfEe1A==',
].join('');

/** Origin of the demo's SAML application. Nothing is served there. */
const TRAVEL_DESK_ORIGIN = 'https://travel.acme.test';

/** Metadata of the demo's SAML application (SAML 2.0 metadata §2.4.4). */
const TRAVEL_DESK_METADATA = `<?xml version="1.0" encoding="UTF-8"?>
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${TRAVEL_DESK_ORIGIN}/saml/metadata">
  <md:SPSSODescriptor AuthnRequestsSigned="false" WantAssertionsSigned="true" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <md:KeyDescriptor use="signing">
      <ds:KeyInfo><ds:X509Data><ds:X509Certificate>${CERTIFICATE}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>
    </md:KeyDescriptor>
    <md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${TRAVEL_DESK_ORIGIN}/saml/logout"/>
    <md:NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress</md:NameIDFormat>
    <md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${TRAVEL_DESK_ORIGIN}/saml/acs" index="0" isDefault="true"/>
  </md:SPSSODescriptor>
  <md:Organization>
    <md:OrganizationName xml:lang="en">Travel Desk</md:OrganizationName>
    <md:OrganizationDisplayName xml:lang="en">Travel Desk</md:OrganizationDisplayName>
    <md:OrganizationURL xml:lang="en">${TRAVEL_DESK_ORIGIN}</md:OrganizationURL>
  </md:Organization>
</md:EntityDescriptor>
`;

type ApplicationRow = typeof applications.$inferInsert;

const PORTAL = {
  description: 'For managing devices and administering the organisation',
  maxCookieLife: 28_800,
};

/** Returns an organisation's first portal application. Without a portal application, no one can sign in. */
export function portalApplication(orgCode: string, name: string, createdAt: number): ApplicationRow {
  return {
    orgCode,
    appId: 'portal',
    name,
    nameKey: nameKey(name),
    integrationType: 'portal',
    createdAt,
    ...PORTAL,
  };
}

/** Default sign-in options of the demo's applications. */
const LOGIN_OPTIONS = {
  maxCookieLife: 0,
  didEnabled: true,
  webAuthnEnabled: true,
  desktopAppEnabled: true,
  forceAuthnEnabled: false,
} satisfies Partial<WorldApplication>;

type OidcAppOptions = Pick<WorldApplication, 'name' | 'description' | 'startUrl'> &
  Partial<Pick<WorldApplication, 'maxCookieLife'>> & {
    redirectUris: string[];
    postLogoutRedirectUris: string[];
    /** Oldest first, with ages in days. The application is as old as the oldest secret. */
    secrets: readonly (readonly [name: string, days: number])[];
  };

function oidcApp(
  id: string,
  { secrets, redirectUris, postLogoutRedirectUris, ...app }: OidcAppOptions,
  source: KeySource,
): WorldApplication {
  const rows = secrets.map(([name, days]) => ({
    id: new Prng(`secret id ${id} ${name}`).id(),
    name,
    secret: secretOf(id, name, source),
    createdAt: `-${days}d`,
  }));
  return {
    ...LOGIN_OPTIONS,
    id,
    type: 'oidc',
    ...app,
    createdAt: rows[0]?.createdAt,
    oidc: {
      redirectUris,
      postLogoutRedirectUris,
      ...TOKEN_LIFETIMES,
      backchannelLogoutUri: null,
      frontchannelLogoutUri: null,
      claims: [],
      jwks: null,
      jwksUri: null,
      idTokenAlg: 'RS256',
      accessTokenFormat: 'opaque',
      rotateRefreshTokens: true,
      tokenExchange: false,
      registrationTokenHash: null,
      registeredName: null,
      secrets: rows,
    },
  };
}

const secretOf = (appId: string, name: string, source: KeySource): string =>
  drawSecret(`secret ${appId} ${name}`, source);

function drawSecret(name: string, source: KeySource): string {
  const prng = source.prng(name);
  return `${prng.id()}${prng.id()}`.slice(0, 43);
}

/** Returns acme's applications: its portal, two OIDC applications and a SAML application. */
export const acmeApplications = (source: KeySource): WorldApplication[] => [
  { ...LOGIN_OPTIONS, id: 'portal', type: 'portal', name: 'Acme Portal', createdAt: '-1600d', ...PORTAL },
  oidcApp(
    'payroll',
    {
      name: 'Payroll',
      description: 'Salary statements and tax documents',
      startUrl: 'https://payroll.acme.test/',
      redirectUris: ['https://payroll.acme.test/callback'],
      postLogoutRedirectUris: ['https://payroll.acme.test/'],
      secrets: [
        ['Production', 410],
        ['Rotation', 12],
      ],
    },
    source,
  ),
  oidcApp(
    'team-wiki',
    {
      name: 'Team Wiki',
      description: 'Handbooks, decisions and meeting notes of every team',
      startUrl: 'https://wiki.acme.test/',
      maxCookieLife: 28_800,
      redirectUris: ['https://wiki.acme.test/oidc/callback', 'http://localhost:8080/oidc/callback'],
      postLogoutRedirectUris: ['https://wiki.acme.test/goodbye'],
      secrets: [['Wiki server', 280]],
    },
    source,
  ),
  {
    ...LOGIN_OPTIONS,
    id: 'travel-desk',
    type: 'saml',
    name: 'Travel Desk',
    description: 'Bookings and expenses of business trips',
    forceAuthnEnabled: true,
    createdAt: '-150d',
    saml: {
      metadata: TRAVEL_DESK_METADATA,
      redirectUrl: `${TRAVEL_DESK_ORIGIN}/trips`,
      encryptAssertions: false,
      nameId: 'primaryEmail',
      nameIdTransformationTemplate: '',
      nameIdFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
      attributes: ['firstName', 'lastName', 'employeeId'],
      attributesConfig: [
        { name: 'firstName', format: 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic' },
        { name: 'lastName', format: 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic' },
      ],
    },
  },
];

const SSO = 'acme-portal-sso';
const SSO_SECRET = "Acme's portal";

/** Returns globex's applications: its portal, and acme's portal, where globex acts as the identity provider. */
export const globexApplications = (source: KeySource): WorldApplication[] => [
  oidcApp(
    SSO,
    {
      name: 'Acme Portal SSO',
      description: "Lets Acme's members sign in to their portal with a Globex account",
      // The portal's own callbacks, given as paths because the seed doesn't know the portal URL.
      redirectUris: ['/api/oidc/callback'],
      postLogoutRedirectUris: [`/${ACME}/sign-in`],
      secrets: [[SSO_SECRET, 200]],
    },
    source,
  ),
  { ...LOGIN_OPTIONS, id: 'portal', type: 'portal', name: 'Globex Portal', createdAt: '-700d', ...PORTAL },
];

/** Returns acme's external provider, which is globex's OIDC server. */
export const acmeProvider = (source: KeySource): WorldOrganisation['provider'] => ({
  enabled: true,
  buttonLabel: 'Continue with Globex SSO',
  configurationUrl: `/oidc/${GLOBEX}/.well-known/openid-configuration`,
  clientId: SSO,
  clientSecret: secretOf(SSO, SSO_SECRET, source),
  configuredBy: 'super.admin@acme.test',
});

/** Returns the credentials for acme's directory, created by its Super Admin. Globex has none yet. */
export function acmeProvisioning(source: KeySource): WorldOrganisation['provisioning'] {
  const password = drawSecret('scim password acme', source);
  return { username: `scim-${ACME}`, password, createdAt: '-90d', madeBy: 'super.admin@acme.test' };
}
