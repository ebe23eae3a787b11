import { createHash } from 'node:crypto';
import type { World } from '@orchestrate/shared';
import { createDeviceKey, publicKeyOf } from '@orchestrate/shared/authenticator';
import { keyDescriptor, OLD_CERTIFICATE, spMetadata } from '#testing/metadata.ts';

type Fields = Record<string, unknown>;
/** Changes a world, for fields that are valid only together with others. */
type Change = (organisation: Fields, world: Fields) => void;

const EARLIER = '2026-02-01T00:00:00.000Z';
const LATER = '2026-04-01T00:00:00.000Z';
const hash = (token: string) => createHash('sha256').update(token).digest('base64url');

export const ADMIN = 'super.admin@acme.test';
export const ADA = 'ada@acme.test';
export const GRACE = 'grace@acme.test';

/** Secrets of the base world that the observations use. */
export const SECRETS = {
  username: 'directory',
  password: 'password-of-the-directory',
  directory: 'token-of-the-directory',
  registration: 'token-for-registrations',
  registered: 'token-of-the-client',
  client: 'secret-of-the-wiki',
  invitation: 'token-in-the-invitation-link',
  webhook: `whsec_${btoa('secret of the webhook, 32 bytes.')}`,
  oldWebhook: `whsec_${btoa('secret before the rotation, same')}`,
};
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const OTHER_PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** Returns a world with every optional object. @param url server of the applications, directories and webhooks */
export function baseWorld(
  url: string,
  { keys, passkey = PASSKEY }: { keys?: Keys; passkey?: Passkey } = {},
): World & { organisations: Fields[] } {
  const image = { contentType: 'image/png', bytes: PNG };
  return {
    now: '2026-03-02T09:30:00Z',
    organisations: [
      {
        code: 'acme',
        ...(keys && { keys: structuredClone(keys) as never }),
        branding: { logo: image },
        loginOptions: { webAuthnEnabled: true },
        security: {},
        provider: { configurationUrl: `${url}/provider`, clientId: 'portal', clientSecret: 'secret' },
        provisioning: { username: SECRETS.username, password: SECRETS.password, madeBy: ADMIN },
        registrationTokens: [{ token: SECRETS.registration, madeBy: ADMIN }],
        scimTokens: [{ token: SECRETS.directory, madeBy: ADMIN }],
        scimSchemas: [
          {
            name: 'HR',
            urn: 'urn:example:hr:2.0:User',
            attributes: [{ name: 'badge', type: 'complex', subAttributes: [{ name: 'color' }] }, { name: 'costCode' }],
          },
        ],
        roles: [{ code: 'AUDITOR', permissions: ['SEARCH_USER'] }],
        groups: [{ name: 'Buyers' }],
        applications: [
          {
            id: 'wiki',
            logo: image,
            provisioning: { url: `${url}/scim`, authentication: 'basic', secret: 'secret-of-the-service' },
            usableBy: { roles: ['USER'], people: [], groups: [] },
            oidc: {
              redirectUris: ['https://wiki.test/callback'],
              claims: [{ name: 'tenant', value: 'north' }],
              registrationTokenHash: hash(SECRETS.registered),
              secrets: [{ secret: SECRETS.client }],
            },
          },
          {
            id: 'expenses',
            type: 'saml',
            saml: {
              metadata: METADATA,
              attributes: ['primaryEmail'],
              attributesConfig: [{ name: 'primaryEmail' }],
            },
          },
          { id: 'vpn', type: 'radius', radius: {} },
          { id: 'address-book', type: 'ldap', ldap: {} },
        ],
        mails: [{ name: 'activation-code', subject: 'Your code', body: 'Use this code:\n\n${code}' }],
        webhooks: [{ url: `${url}/hook`, secret: SECRETS.webhook }],
        apiResources: [{ identifier: 'https://orders.test', scopes: ['read'] }],
        faq: [
          { name: 'Start', subcategories: [{ name: 'Phone', records: [{ question: 'Where?', answer: 'Here.' }] }] },
        ],
        people: [
          {
            email: ADA,
            status: 'active',
            devices: [
              {},
              {
                type: 'webauthn',
                key: null,
                passkey: { ...passkey },
              },
            ],
            activationCodes: [{}],
            invitations: [{ expiresAt: LATER }],
            logins: [{ at: '-1d' }],
            identities: [{ issuer: 'https://idp.test', subject: 'ada' }],
          },
          { email: ADMIN, role: 'SUPER_ADMIN' },
          { email: GRACE, isManager: true },
        ],
      },
    ],
  };
}

/** The passkey of a person, as a world contains it. */
export type Passkey = Record<'credentialId' | 'publicKey', string>;
const PASSKEY: Passkey = { credentialId: 'Y3JlZGVudGlhbA', publicKey: 'cHVibGljIGtleQ==' };
/** Keys that an organisation signs with, as a world contains them. */
export type Keys = Record<'oidc' | 'saml', Fields[]>;

const METADATA = spMetadata({ keys: keyDescriptor(OLD_CERTIFICATE, ' use="encryption"') });

const first = (list: unknown): Fields => Object((list as unknown[])[0]);
const key = createDeviceKey();

/**
 * Returns another valid value for each field of the base world, by the field's path. The first entry of a list is
 * changed, and of applications the one of the protocol.
 * @param keys keys of another organisation
 */
export const otherValues = (url: string, keys: Keys): Record<string, unknown> => ({
  randomSeed: 'other',
  now: '2026-03-03T09:30:00Z',
  'organisations.code': 'initech',
  'organisations.name': 'Acme Limited',
  'organisations.createdAt': EARLIER,
  'organisations.primaryAttrField': 'badge',
  'organisations.primaryEmailField': 'workEmail',
  'organisations.branding.color': '#123456',
  'organisations.branding.title': 'Welcome',
  'organisations.branding.bannerText': 'Closed on Friday',
  'organisations.branding.loginButtonName': 'Enter',
  'organisations.branding.copyrightText': '© Acme',
  'organisations.branding.logo.contentType': 'image/jpeg',
  'organisations.branding.logo.bytes': OTHER_PNG,
  'organisations.loginOptions.sessionTimeout': 5,
  'organisations.loginOptions.maxCookieLife': 60,
  'organisations.loginOptions.didEnabled': false,
  'organisations.loginOptions.webAuthnEnabled': false,
  'organisations.loginOptions.mobileAppEnabled': false,
  'organisations.loginOptions.desktopAppEnabled': false,
  'organisations.loginOptions.forceAuthnEnabled': true,
  'organisations.loginOptions.stepUpAuthEnabled': true,
  'organisations.loginOptions.appLockEnabled': true,
  'organisations.loginOptions.allowReporteeSearch': false,
  'organisations.loginOptions.logoutTogether': true,
  'organisations.security.allowedIps': ['127.0.0.0/8', '::1/128'],
  'organisations.security.allowedEmailDomains': ['acme.test'],
  'organisations.security.activationLinkDelayHours': 3,
  'organisations.security.deviceLimit': 7,
  'organisations.security.discloseUnknownUsers': true,
  'organisations.provider.enabled': false,
  'organisations.provider.buttonLabel': 'Company account',
  'organisations.provider.configurationUrl': `${url}/other`,
  'organisations.provider.clientId': 'other',
  'organisations.provider.clientSecret': 'other',
  'organisations.provider.configuredBy': ADMIN,
  'organisations.provisioning.username': 'other',
  'organisations.provisioning.password': 'other-password',
  'organisations.provisioning.createdAt': EARLIER,
  'organisations.provisioning.madeBy': GRACE,
  'organisations.provisioning.ceiling': ['SEARCH_USER'],
  'organisations.registrationTokens.id': 'other',
  'organisations.registrationTokens.name': 'Partners',
  'organisations.registrationTokens.token': 'another-token',
  'organisations.registrationTokens.hash': ((own) => {
    const token = first(own.registrationTokens);
    delete token.token;
    token.hash = hash('another-token');
  }) satisfies Change,
  'organisations.registrationTokens.createdAt': EARLIER,
  'organisations.registrationTokens.expiresAt': LATER,
  'organisations.registrationTokens.lastUsedAt': EARLIER,
  'organisations.registrationTokens.madeBy': GRACE,
  'organisations.scimTokens.id': 'other',
  'organisations.scimTokens.name': 'Okta',
  'organisations.scimTokens.token': 'another-token',
  'organisations.scimTokens.hash': ((own) => {
    const token = first(own.scimTokens);
    delete token.token;
    token.hash = hash('another-token');
  }) satisfies Change,
  'organisations.scimTokens.createdAt': EARLIER,
  'organisations.scimTokens.lastUsedAt': EARLIER,
  'organisations.scimTokens.expiresAt': LATER,
  'organisations.scimTokens.madeBy': GRACE,
  'organisations.scimTokens.ceiling': ['SEARCH_USER'],
  'organisations.scimSchemas.name': 'Payroll',
  'organisations.scimSchemas.description': 'Attributes of HR',
  'organisations.scimSchemas.attributes.name': 'card',
  'organisations.scimSchemas.attributes.description': 'A badge',
  'organisations.scimSchemas.attributes.required': true,
  'organisations.scimSchemas.attributes.caseExact': true,
  'organisations.scimSchemas.attributes.canonicalValues': ((own) => {
    Object.assign((first(own.scimSchemas).attributes as Fields[])[1] ?? {}, { canonicalValues: ['A', 'B'] });
  }) satisfies Change,
  'organisations.scimSchemas.attributes.type': ((own) => {
    Object.assign((first(own.scimSchemas).attributes as Fields[])[1] ?? {}, { type: 'integer' });
  }) satisfies Change,
  'organisations.scimSchemas.attributes.multiValued': true,
  'organisations.scimSchemas.attributes.mutability': 'immutable',
  'organisations.scimSchemas.attributes.returned': 'always',
  'organisations.scimSchemas.attributes.subAttributes.name': 'shape',
  'organisations.scimSchemas.attributes.subAttributes.description': 'A colour',
  'organisations.scimSchemas.attributes.subAttributes.required': true,
  'organisations.scimSchemas.attributes.subAttributes.caseExact': true,
  'organisations.scimSchemas.attributes.subAttributes.canonicalValues': ['red'],
  'organisations.scimSchemas.attributes.subAttributes.type': 'integer',
  'organisations.scimSchemas.id': 'other',
  'organisations.scimSchemas.urn': 'urn:example:pay:2.0:User',
  'organisations.scimSchemas.createdAt': EARLIER,
  'organisations.roles.code': 'REVIEWER',
  'organisations.roles.name': 'Auditor of accounts',
  'organisations.roles.permissions': ['UPDATE_USER'],
  'organisations.roles.externalId': 'role-7',
  'organisations.roles.createdAt': EARLIER,
  'organisations.roles.changedAt': '+5m',
  'organisations.groups.id': 'other',
  'organisations.groups.name': 'Sellers',
  'organisations.groups.externalId': 'group-7',
  'organisations.groups.members': [ADA],
  'organisations.groups.createdAt': EARLIER,
  'organisations.groups.changedAt': EARLIER,
  'organisations.applications.id': 'intranet',
  'organisations.applications.name': 'Team wiki',
  'organisations.applications.description': 'Notes',
  'organisations.applications.type': ((own) => {
    const app = first(own.applications);
    delete app.oidc;
    delete app.provisioning;
    app.type = 'ldap';
  }) satisfies Change,
  'organisations.applications.createdAt': EARLIER,
  'organisations.applications.maxCookieLife': 600,
  'organisations.applications.didEnabled': false,
  'organisations.applications.webAuthnEnabled': false,
  'organisations.applications.desktopAppEnabled': false,
  'organisations.applications.forceAuthnEnabled': true,
  'organisations.applications.usableBy.roles': ['AUDITOR'],
  'organisations.applications.usableBy.people': [GRACE],
  'organisations.applications.usableBy.groups': ['Buyers'],
  'organisations.applications.startUrl': 'https://wiki.test/start',
  'organisations.applications.logo.contentType': 'image/jpeg',
  'organisations.applications.logo.bytes': OTHER_PNG,
  'organisations.applications.provisioning.url': `${url}/other`,
  'organisations.applications.provisioning.authentication': 'bearer',
  'organisations.applications.provisioning.username': 'portal',
  'organisations.applications.provisioning.enabled': false,
  'organisations.applications.provisioning.changesBy': 'patch',
  'organisations.applications.provisioning.withoutAccess': 'delete',
  'organisations.applications.provisioning.sendManagers': false,
  'organisations.applications.provisioning.sendRoles': true,
  'organisations.applications.provisioning.sendAttributes': ['urn:example:hr:2.0:User:costCode'],
  'organisations.applications.provisioning.sendGroups': true,
  'organisations.applications.provisioning.secret': 'another-secret',
  'organisations.applications.provisioning.createdAt': EARLIER,
  'organisations.applications.oidc.kind': ((own) => {
    Object.assign(Object(first(own.applications).oidc), { kind: 'native', secrets: [] });
  }) satisfies Change,
  'organisations.applications.oidc.redirectUris': ['https://wiki.test/other'],
  'organisations.applications.oidc.postLogoutRedirectUris': ['https://wiki.test/bye'],
  'organisations.applications.oidc.ttlIdToken': 120,
  'organisations.applications.oidc.ttlAccessToken': 120,
  'organisations.applications.oidc.ttlAuthorizationCode': 30,
  'organisations.applications.oidc.ttlRefreshToken': 0,
  'organisations.applications.oidc.backchannelLogoutUri': `${url}/logout`,
  'organisations.applications.oidc.frontchannelLogoutUri': `${url}/logout`,
  'organisations.applications.oidc.claims.name': 'region',
  'organisations.applications.oidc.claims.value': 'south',
  'organisations.applications.oidc.claims.type': 'list',
  'organisations.applications.oidc.claims.scope': 'profile',
  'organisations.applications.oidc.claims.roles': ['AUDITOR'],
  'organisations.applications.oidc.claims.groups': ['Buyers'],
  'organisations.applications.oidc.claims.idToken': false,
  'organisations.applications.oidc.claims.userinfo': false,
  'organisations.applications.oidc.claims.accessToken': true,
  'organisations.applications.oidc.jwks.keys.kty': ((own) => {
    Object.assign(Object(first(own.applications).oidc), { jwks: { keys: [publicKeyOf(key)] } });
  }) satisfies Change,
  'organisations.applications.oidc.jwksUri': `${url}/jwks`,
  'organisations.applications.oidc.idTokenAlg': 'ES256',
  'organisations.applications.oidc.accessTokenFormat': 'jwt',
  'organisations.applications.oidc.rotateRefreshTokens': false,
  'organisations.applications.oidc.tokenExchange': true,
  'organisations.applications.oidc.registrationTokenHash': hash('another-token'),
  'organisations.applications.oidc.registeredName': 'Wiki of the team',
  'organisations.applications.oidc.secrets.id': 'other',
  'organisations.applications.oidc.secrets.name': 'Second',
  'organisations.applications.oidc.secrets.secret': 'another-secret',
  'organisations.applications.oidc.secrets.createdAt': EARLIER,
  'organisations.applications.oidc.secrets.expiresAt': LATER,
  'organisations.applications.oidc.secrets.lastUsedAt': EARLIER,
  'organisations.applications.saml.metadata': spMetadata({ entityId: 'https://other.test' }),
  'organisations.applications.saml.redirectUrl': 'https://sp.example/start',
  'organisations.applications.saml.encryptAssertions': true,
  'organisations.applications.saml.nameId': 'firstName',
  'organisations.applications.saml.nameIdFormat': 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  'organisations.applications.saml.nameIdTransformationTemplate': '${email|upper}',
  'organisations.applications.saml.attributes': ['primaryEmail', 'firstName'],
  'organisations.applications.saml.attributesConfig.name': ((own) => {
    const saml = Object((own.applications as Fields[])[1]?.saml);
    Object.assign(saml, { attributes: ['firstName'], attributesConfig: [{ name: 'firstName', format: 'urn:x' }] });
  }) satisfies Change,
  'organisations.applications.saml.attributesConfig.format': 'urn:oasis:names:tc:SAML:2.0:attrname-format:uri',
  'organisations.applications.saml.attributesConfig.transform': '${firstName}',
  'organisations.applications.radius.secret': 'another-shared-secret',
  'organisations.applications.radius.method': 'push',
  'organisations.applications.ldap.secret': 'another-shared-secret',
  'organisations.mailLanguage': 'de',
  'organisations.mails.subject': 'Another code',
  'organisations.mails.body': 'Enter this code:\n\n${code}',
  'organisations.mails.name': 'email-code',
  'organisations.mails.language': 'de',
  'organisations.webhooks.id': 'other',
  'organisations.webhooks.url': `${url}/other`,
  'organisations.webhooks.description': 'Alerts',
  'organisations.webhooks.enabled': false,
  'organisations.webhooks.events': ['member.paused'],
  'organisations.webhooks.secret': SECRETS.oldWebhook,
  'organisations.webhooks.oldSecret': ((own) => {
    Object.assign(first(own.webhooks), { oldSecret: SECRETS.oldWebhook, oldSecretUntil: LATER });
  }) satisfies Change,
  'organisations.webhooks.oldSecretUntil': ((own) => {
    Object.assign(first(own.webhooks), { oldSecret: SECRETS.oldWebhook, oldSecretUntil: LATER });
  }) satisfies Change,
  'organisations.webhooks.createdAt': EARLIER,
  'organisations.webhooks.failingSince': '-1h',
  'organisations.webhooks.disabledAt': ((own) => {
    Object.assign(first(own.webhooks), { enabled: false, disabledAt: EARLIER });
  }) satisfies Change,
  'organisations.apiResources.id': 'other',
  'organisations.apiResources.identifier': 'https://invoices.test',
  'organisations.apiResources.name': 'Orders',
  'organisations.apiResources.scopes': ['write'],
  'organisations.apiResources.createdAt': EARLIER,
  'organisations.faq.id': 'other',
  'organisations.faq.name': 'Devices',
  'organisations.faq.subcategories.id': 'other',
  'organisations.faq.subcategories.name': 'Computer',
  'organisations.faq.subcategories.records.id': 'other',
  'organisations.faq.subcategories.records.question': 'When?',
  'organisations.faq.subcategories.records.answer': 'Now.',
  'organisations.people.email': 'lovelace@acme.test',
  'organisations.people.id': 'other',
  'organisations.people.firstName': 'Augusta',
  'organisations.people.lastName': 'King',
  'organisations.people.primaryAttr': 'E-77',
  'organisations.people.mobileNumber': '+46701234567',
  'organisations.people.role': 'HELPDESK_ADMIN',
  'organisations.people.status': 'inactive',
  'organisations.people.statusBeforePause': ((own) => {
    Object.assign(first(own.people), { status: 'inactive', statusBeforePause: 'unverified' });
  }) satisfies Change,
  'organisations.people.isManager': true,
  'organisations.people.manager': GRACE,
  'organisations.people.hasPermissionForMobileApp': false,
  'organisations.people.hasPermissionForWindowsApp': false,
  'organisations.people.language': 'de',
  'organisations.people.createdAt': EARLIER,
  'organisations.people.lastSeenAt': EARLIER,
  'organisations.people.emailVerifiedAt': null,
  'organisations.people.externalId': 'person-7',
  'organisations.people.userName': 'ada',
  'organisations.people.provisionedAt': EARLIER,
  'organisations.people.directoryAttributes': { title: 'Countess' },
  'organisations.people.devices.id': 'other',
  'organisations.people.devices.type': 'desktop',
  'organisations.people.devices.name': 'Old phone',
  'organisations.people.devices.nickName': 'Work',
  'organisations.people.devices.platform': 'Android 16',
  'organisations.people.devices.status': 'paused',
  'organisations.people.devices.registeredAt': EARLIER,
  'organisations.people.devices.lastLoginAt': EARLIER,
  'organisations.people.devices.approvesFrom': LATER,
  ...Object.fromEntries(
    ['kty', 'crv', 'x', 'y', 'd'].map((part) => [
      `organisations.people.devices.key.${part}`,
      ((own) => Object.assign(first(first(own.people).devices), { key })) satisfies Change,
    ]),
  ),
  ...Object.fromEntries(
    Object.entries({
      credentialId: 'b3RoZXItY3JlZGVudGlhbA',
      publicKey: 'b3RoZXIga2V5',
      counter: 7,
      transports: ['usb'],
      backedUp: true,
      backupEligible: true,
    }).map(([part, value]) => [
      `organisations.people.devices.passkey.${part}`,
      ((own) => {
        const { passkey } = (first(own.people).devices as Fields[])[1] ?? {};
        Object.assign(Object(passkey), { [part]: value });
      }) satisfies Change,
    ]),
  ),
  'organisations.people.activationCodes.type': 'desktop',
  'organisations.people.activationCodes.code': '123456',
  'organisations.people.activationCodes.issuedAt': '-1h',
  'organisations.people.activationCodes.expiresAt': '+1h',
  'organisations.people.activationCodes.usedAt': '-1m',
  'organisations.people.activationCodes.wrongTries': 500,
  'organisations.people.activationCodes.wrongTriesInAll': 100_000,
  'organisations.people.activationCodes.wrongTriesByNetwork': { '127.0.0.1': 500 },
  'organisations.people.activationCodes.mailed': false,
  'organisations.people.invitations.type': 'desktop',
  'organisations.people.invitations.id': hash(SECRETS.invitation),
  'organisations.people.invitations.email': 'ada@private.test',
  'organisations.people.invitations.invitedAt': '-1h',
  'organisations.people.invitations.validFrom': '+1h',
  'organisations.people.invitations.expiresAt': '+1h',
  'organisations.people.invitations.usedAt': '-1m',
  'organisations.people.invitations.closedAt': '-1m',
  'organisations.people.invitations.invitedBy': GRACE,
  'organisations.people.logins.id': 'other',
  'organisations.people.logins.at': '-2d',
  'organisations.people.logins.device': 'device-7',
  'organisations.people.logins.deviceName': 'Old phone',
  'organisations.people.logins.deviceType': 'desktop',
  'organisations.people.logins.appId': 'wiki',
  'organisations.people.logins.appName': 'Wiki',
  'organisations.people.logins.mode': 'PUSH',
  'organisations.people.logins.ip': '203.0.113.7',
  'organisations.people.logins.status': 'Failed',
  'organisations.people.logins.reason': 'Denied',
  'organisations.people.logins.disownedAt': '-1h',
  'organisations.people.identities.id': 'other',
  'organisations.people.identities.issuer': 'https://other.test',
  'organisations.people.identities.subject': 'lovelace',
  'organisations.people.identities.email': 'ada@private.test',
  'organisations.people.identities.linkedAt': EARLIER,
  'organisations.people.identities.approvedAt': EARLIER,
  'organisations.people.identities.lastUsedAt': EARLIER,
  'organisations.keys.oidc.id': 'other',
  'organisations.keys.oidc.alg': ((own) => {
    const [used] = Object(own.keys).oidc as Fields[];
    Object.assign(Object(own.keys), { oidc: keys.oidc.filter(({ alg }) => alg !== used?.alg) });
  }) satisfies Change,
  'organisations.keys.oidc.privateJwk': ((own) => {
    const used = first(Object(own.keys).oidc);
    used.privateJwk = keys.oidc.find(({ alg }) => alg === used.alg)?.privateJwk;
  }) satisfies Change,
  'organisations.keys.oidc.createdAt': EARLIER,
  'organisations.keys.saml.id': 'other',
  'organisations.keys.saml.privateKey': ((own) => {
    Object.assign(Object(own.keys), { saml: keys.saml });
  }) satisfies Change,
  'organisations.keys.saml.certificate': ((own) => {
    Object.assign(Object(own.keys), { saml: keys.saml });
  }) satisfies Change,
  'organisations.keys.saml.createdAt': EARLIER,
  'organisations.keys.saml.expiresAt': LATER,
});

/** Sets a field of a world to its other value. */
export function withOther(world: { organisations: Fields[] }, path: string, value: unknown): void {
  const [organisation = {}] = world.organisations;
  if (typeof value === 'function') return void (value as Change)(organisation, world as never);
  const steps = path.split('.');
  const name = steps.pop() ?? '';
  const kind = ['oidc', 'saml', 'radius', 'ldap'].find((one) => path.startsWith(`organisations.applications.${one}.`));
  let at: Fields = world as never;
  for (const step of steps) {
    at[step] ??= {};
    const next = at[step];
    const all = next as Fields[];
    at = Array.isArray(next)
      ? (step === 'applications' && all.find((one) => kind && kind in one)) || all[0] || {}
      : (next as Fields);
  }
  at[name] = value;
}
