import { DAY, TOKEN_LIFETIMES } from '@orchestrate/shared';
import type { applications, clientSecrets, oidcClients, portalOidc, samlServiceProviders } from '../schema/index.ts';
import { ACME, GLOBEX } from './organisations.ts';
import { suidOf } from './person.ts';
import { createPrng } from './prng.ts';
import type { Unsealed } from './table-rows.ts';
import { TRAVEL_DESK_METADATA, TRAVEL_DESK_ORIGIN } from './travel-desk-metadata.ts';

type ApplicationRow = typeof applications.$inferInsert;

/** The first portal application of an organisation, without which nobody can sign in. */
export function portalApplication(orgCode: string, name: string, createdAt: number): ApplicationRow {
  return {
    orgCode,
    appId: 'portal',
    name,
    nameKey: name.toLowerCase(),
    integrationType: 'portal',
    createdAt,
    description: 'Where people manage their devices, and administrators everything else',
    maxCookieLife: 28_800,
  };
}

interface OidcApp {
  orgCode: string;
  appId: string;
  name: string;
  description: string;
  redirectUris: string[];
  postLogoutRedirectUris: string[];
  /** When each secret was made, in days before now, the oldest first. */
  secrets: { name: string; days: number }[];
  maxCookieLife: number;
}

const OIDC_APPS: OidcApp[] = [
  {
    orgCode: ACME,
    appId: 'payroll',
    name: 'Payroll',
    maxCookieLife: 0,
    description: 'Salary statements and tax documents',
    redirectUris: ['https://payroll.acme.test/callback'],
    postLogoutRedirectUris: ['https://payroll.acme.test/'],
    secrets: [
      { name: 'Production', days: 410 },
      { name: 'Rotation', days: 12 },
    ],
  },
  {
    orgCode: ACME,
    appId: 'team-wiki',
    name: 'Team Wiki',
    maxCookieLife: 28_800,
    description: 'Handbooks, decisions and meeting notes of every team',
    redirectUris: ['https://wiki.acme.test/oidc/callback', 'http://localhost:8080/oidc/callback'],
    postLogoutRedirectUris: ['https://wiki.acme.test/goodbye'],
    secrets: [{ name: 'Wiki server', days: 280 }],
  },
  {
    orgCode: GLOBEX,
    appId: 'acme-portal-sso',
    name: 'Acme Portal SSO',
    maxCookieLife: 0,
    description: "Lets Acme's people enter their portal with an account of Globex",
    // Callbacks of the portal itself: paths, because the seed does not know the portal's address.
    redirectUris: ['/api/oidc/callback'],
    postLogoutRedirectUris: [`/${ACME}/sign-in`],
    secrets: [{ name: "Acme's portal", days: 200 }],
  },
];

const secretOf = (appId: string, name: string): string => {
  const prng = createPrng(`secret ${appId} ${name}`);
  return `${prng.id()}${prng.id()}`.slice(0, 43);
};

/** The applications of the demo: a portal each, two OIDC and one SAML of acme's, one OIDC of globex'. */
export function demoApplications(base: number): ApplicationRow[] {
  return [
    portalApplication(ACME, 'Acme Portal', base - 1_600 * DAY),
    ...OIDC_APPS.map(
      ({ orgCode, appId, name, description, maxCookieLife, secrets }): ApplicationRow => ({
        orgCode,
        appId,
        name,
        nameKey: name.toLowerCase(),
        description,
        maxCookieLife,
        integrationType: 'oidc',
        createdAt: base - (secrets[0]?.days ?? 0) * DAY,
      }),
    ),
    {
      orgCode: ACME,
      appId: 'travel-desk',
      name: 'Travel Desk',
      nameKey: 'travel desk',
      integrationType: 'saml',
      description: 'Bookings and expenses of business trips',
      forceAuthnEnabled: true,
      createdAt: base - 150 * DAY,
    },
    portalApplication(GLOBEX, 'Globex Portal', base - 700 * DAY),
  ];
}

/** The OIDC side of the demo's applications. */
export function demoOidcClients(): (typeof oidcClients.$inferInsert)[] {
  return OIDC_APPS.map(({ orgCode, appId, redirectUris, postLogoutRedirectUris }) => ({
    orgCode,
    appId,
    redirectUris,
    postLogoutRedirectUris,
    ...TOKEN_LIFETIMES,
  }));
}

/** The secrets of the demo's OIDC applications: the same in every demo. */
export function demoClientSecrets(base: number): Unsealed<typeof clientSecrets.$inferInsert>[] {
  return OIDC_APPS.flatMap(({ orgCode, appId, secrets }) =>
    secrets.map(({ name, days }) => ({
      id: createPrng(`secret id ${appId} ${name}`).id(),
      orgCode,
      appId,
      name,
      secret: secretOf(appId, name),
      createdAt: base - days * DAY,
    })),
  );
}

/** The SAML side of the demo's applications. */
export function demoServiceProviders(): (typeof samlServiceProviders.$inferInsert)[] {
  return [
    {
      orgCode: ACME,
      appId: 'travel-desk',
      metadata: TRAVEL_DESK_METADATA,
      redirectUrl: `${TRAVEL_DESK_ORIGIN}/trips`,
      nameId: 'primaryEmail',
      nameIdFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
      attributes: ['firstName', 'lastName', 'employeeId'],
      attributesConfig: [
        { name: 'firstName', format: 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic' },
        { name: 'lastName', format: 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic' },
      ],
    },
  ];
}

/** Globex' server is acme's external provider. */
export function demoPortalOidc(): Unsealed<typeof portalOidc.$inferInsert>[] {
  return [
    {
      orgCode: ACME,
      configurationUrl: `/oidc/${GLOBEX}/.well-known/openid-configuration`,
      clientId: 'acme-portal-sso',
      clientSecret: secretOf('acme-portal-sso', "Acme's portal"),
      configuredBy: suidOf(ACME, 'super.admin@acme.test'),
    },
  ];
}
