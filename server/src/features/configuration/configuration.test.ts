import {
  type AuthState,
  checkConfiguration,
  createGroup,
  createRole,
  createWebhook,
  deleteFaqCategory,
  deleteRole,
  getApp,
  getFaq,
  importConfiguration,
  LIMITS,
  listActivity,
  listApps,
  listMailTexts,
  listWebhooks,
  readWebhookSecret,
  updateApp,
  type World,
} from '@orchestrate/shared';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { memberByEmail, setMember } from '#testing/device.ts';
import { startReceiver } from '#testing/receiver.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
let admin: AuthState;
let other: AuthState;
beforeEach(async () => {
  portal = await testPortal();
  admin = await portal.signIn('super.admin@acme.test');
  other = await portal.signIn('admin@globex.test');
});
afterEach(() => portal.close());

const HELPDESK = 'helpdesk.admin@acme.test';

type Organisation = NonNullable<World['organisations']>[number];

async function exported(by = admin, format: 'yaml' | 'json' = 'json'): Promise<string> {
  const request = portal.http.get(`/api/org/configuration?format=${format}`).auth(by.token, { type: 'bearer' });
  return (await request.buffer(true)).text;
}
const organisationOf = (text: string): Organisation => {
  const [organisation] = (parse(text) as World).organisations ?? [];
  if (!organisation) throw new Error('The file has no organisation.');
  return organisation;
};
const OIDC = { redirectUris: ['https://fresh.test/cb'], postLogoutRedirectUris: ['https://fresh.test/'] };
const fileOf = (organisation: Omit<Organisation, 'code'> & { code?: string }): World => ({
  organisations: [{ code: 'acme', ...organisation }],
});
const check = async (configuration: string | World, by = admin) =>
  (await portal.call(checkConfiguration, { body: { configuration } }, by)).body;
const save = (configuration: string | World, by: AuthState = admin, ifMatch?: string) =>
  portal.call(importConfiguration, { body: { configuration } }, { token: by.token, ...(ifMatch && { ifMatch }) });

test('doesn’t modify any data when an export is imported back, in both formats', async () => {
  for (const [format, by] of [
    ['yaml', admin],
    ['json', admin],
    ['yaml', other],
  ] as const) {
    const file = await exported(by, format);
    expect(await check(file, by)).toMatchObject({ mistakes: [], changes: [], leftOut: [], kept: [] });
    const { status, body } = await save(file, by);
    expect([status, body.resultCode, body.changes]).toEqual([200, 0, []]);
    expect(await exported(by, format)).toBe(file);
  }
});

test('exports the largest possible FAQ to files that can be imported', {
  tags: 'whole',
}, async () => {
  const emptyTag = '<p></p>'.length;
  const answer = `<p>${'漢'.repeat(LIMITS.richTextMaxLength - emptyTag)}</p>`;
  const parts = LIMITS.faqRecords / LIMITS.faqRecordsPerSubcategory;
  for (const { categoryId } of (await portal.call(getFaq, {}, admin)).body.categories)
    await portal.call(deleteFaqCategory, { body: { categoryId } }, admin);
  for (let part = 0; part < parts; part += 1) {
    const records = Array.from({ length: LIMITS.faqRecordsPerSubcategory }, (_, at) => ({
      question: `${part}.${at} ${'漢'.repeat(490)}`,
      answer,
    }));
    const { body } = await save(fileOf({ faq: [{ name: 'All', subcategories: [{ name: `Part ${part}`, records }] }] }));
    expect(body.resultCode).toBe(0);
  }
  for (const format of ['yaml', 'json'] as const) {
    const file = await exported(admin, format);
    expect(await check(file)).toMatchObject({ mistakes: [], changes: [], leftOut: [], kept: [] });
  }
});

describe('a configuration file', () => {
  // covers: spec 2.2.42
  test('is previewed before it is saved, and saved exactly as previewed', async () => {
    const [app] = organisationOf(await exported()).applications?.filter(({ id }) => id === 'team-wiki') ?? [];
    const file = fileOf({
      name: 'Acme Works',
      branding: { color: '#aa0011' },
      loginOptions: { sessionTimeout: 33 },
      security: { deviceLimit: 7 },
      roles: [
        { code: 'AUDITOR', name: 'Inspector', permissions: ['SEARCH_USER'] },
        { code: 'NIGHT', name: 'Night shift', permissions: ['SEARCH_USER'] },
      ],
      mails: [{ name: 'invitation', subject: 'Join us', body: 'Here it is:\n\n[Join](${link})' }],
      applications: [
        { id: 'team-wiki', type: 'oidc', oidc: { redirectUris: ['https://wiki.test/new'] } },
        { id: 'Fresh_app', name: 'Fresh', type: 'oidc', oidc: OIDC },
      ],
    });
    const before = await exported();
    const checked = await check(file);
    expect(checked).toMatchObject({ from: 'acme', mistakes: [], leftOut: [] });
    expect(
      checked.changes.map(({ action, object, changes }) => [action, object.id, ...changes.map(({ field }) => field)]),
    ).toMatchInlineSnapshot(`
      [
        [
          "branding.updated",
          "acme",
          "name",
          "color",
        ],
        [
          "session-settings.updated",
          "acme",
          "sessionTimeout",
        ],
        [
          "security.updated",
          "acme",
          "deviceLimit",
        ],
        [
          "role.updated",
          "AUDITOR",
          "name",
          "permissions",
        ],
        [
          "role.created",
          "NIGHT",
          "name",
          "permissions",
        ],
        [
          "mail-text.updated",
          "invitation",
          "subject",
          "body",
        ],
        [
          "application.updated",
          "team-wiki",
          "client.redirectUris",
        ],
        [
          "application.created",
          "Fresh_app",
          "integrationType",
          "name",
          "description",
          "maxCookieLife",
          "didEnabled",
          "webAuthnEnabled",
          "desktopAppEnabled",
          "forceAuthnEnabled",
          "usableBy",
          "startUrl",
          "client.redirectUris",
          "client.postLogoutRedirectUris",
          "client.ttlIdToken",
          "client.ttlAccessToken",
          "client.ttlAuthorizationCode",
          "client.ttlRefreshToken",
          "client.kind",
          "client.backchannelLogoutUri",
          "client.frontchannelLogoutUri",
          "client.claims",
          "client.jwks",
          "client.jwksUri",
          "client.idTokenAlg",
          "client.accessTokenFormat",
          "client.rotateRefreshTokens",
          "client.tokenExchange",
        ],
      ]
    `);
    expect(await exported(), 'nothing is saved yet').toBe(before);

    const { body } = await save(file, admin, checked.version);
    expect(body.changes).toEqual(checked.changes);
    const now = organisationOf(await exported());
    expect(now).toMatchObject({
      name: 'Acme Works',
      branding: { ...organisationOf(before).branding, color: '#aa0011' },
      loginOptions: { ...organisationOf(before).loginOptions, sessionTimeout: 33 },
      security: { ...organisationOf(before).security, deviceLimit: 7 },
    });
    const wiki = now.applications?.find(({ id }) => id === 'team-wiki');
    expect(wiki).toEqual({ ...app, oidc: { ...app?.oidc, redirectUris: ['https://wiki.test/new'] } });
    const { app: fresh } = (await portal.call(getApp, { params: { orgCode: 'acme', appId: 'Fresh_app' } }, admin)).body;
    expect(fresh.oidcConfiguration?.clientSecrets, 'it has a secret of its own').toHaveLength(1);
    expect((await check(file)).changes, 'once more, nothing is left to change').toEqual([]);
  });

  test('is recorded in the audit trail, with each change and the import itself', async () => {
    const file = fileOf({ branding: { color: '#aa0011' }, roles: [{ code: 'NIGHT', permissions: [] }] });
    await save(file);
    const { Items } = (await portal.call(listActivity, { query: {} }, admin)).body;
    expect(Items.slice(0, 3).map(({ action, actor }) => [action, actor.name])).toEqual([
      ['configuration.imported', 'Avery Lindqvist'],
      ['role.created', 'Avery Lindqvist'],
      ['branding.updated', 'Avery Lindqvist'],
    ]);
    await save(file);
    const again = (await portal.call(listActivity, { query: {} }, admin)).body.Items;
    expect(again[0]?.id, 'an import that changes nothing is not an event').toBe(Items[0]?.id);
  });

  test('makes another organisation identical except for its name', async () => {
    await portal.call(
      updateApp,
      {
        params: { orgCode: 'acme', appId: 'team-wiki' },
        body: { usableBy: { roles: ['AUDITOR'], people: [], groups: [] }, description: 'Of the team' },
      },
      admin,
    );
    const file = (await exported(admin, 'yaml')).replaceAll('employeeId', 'primaryAttr');
    const checked = await check(file, other);
    expect(checked).toMatchObject({ from: 'acme', mistakes: [] });
    expect(checked.leftOut.map(({ path, line }) => [path, typeof line])).toEqual([
      ['organisations.0.name', 'number'],
      ['organisations.0.applications.0.name', 'number'],
    ]);
    await save(file, other);
    const [ours, theirs] = [organisationOf(file), organisationOf(await exported(other))];
    const settings = ({ code: _code, name: _name, faq = [], applications = [], ...rest }: Organisation) => ({
      ...rest,
      faq: faq.filter(({ name }) => ours.faq?.some((category) => category.name === name)),
      applications: applications.filter(({ type }) => type !== 'portal').map(({ id }) => id),
    });
    const { applications: wanted = [] } = settings(ours);
    expect(settings({ ...theirs, applications: theirs.applications?.filter(({ id }) => wanted.includes(id)) })).toEqual(
      settings(ours),
    );
    for (const app of ours.applications ?? []) {
      if (app.type !== 'portal') expect(theirs.applications?.find(({ id }) => id === app.id)).toEqual(app);
    }
    expect(theirs.name).toBe('Globex');
  });

  test('leaves unmentioned items unchanged and lists them', async () => {
    const file = fileOf({ roles: [], applications: [] });
    const { kept: stored, changes } = await check(file);
    expect(changes).toEqual([]);
    expect(stored).toContainEqual({ type: 'role', id: 'AUDITOR', name: 'Auditor' });
    expect(stored).toContainEqual({ type: 'application', id: 'team-wiki', name: 'Team Wiki' });
  });

  test('skips people, groups, secrets and keys, and reports that', async () => {
    const { leftOut, mistakes } = await check(
      fileOf({
        people: [{ email: 'new@acme.test' }],
        groups: [{ name: 'Crew' }],
        applications: [{ id: 'team-wiki', oidc: { secrets: [{ secret: 'given' }] } }],
      }),
    );
    expect(mistakes).toEqual([]);
    expect(leftOut.map(({ path }) => path)).toEqual([
      'organisations.0.groups',
      'organisations.0.people',
      'organisations.0.applications.0.oidc.secrets',
    ]);
  });
});

test('contains no people or secrets when exported', async () => {
  const text = await exported(admin, 'json');
  const { body } = await portal.call(getApp, { params: { orgCode: 'acme', appId: 'team-wiki' } }, admin);
  expect(text).not.toContain(body.app.oidcConfiguration?.clients.client_secret ?? 'missing');
  expect(text).not.toMatch(/"(secret|password|privateKey|d)"|@acme\.test/i);
});

describe('invalid configuration files', () => {
  const unknown = (line: (at: number) => string, joint = '\n') =>
    Array.from({ length: 20_000 }, (_, at) => line(at)).join(joint);
  const yaml = `organisations:
  - code: acme
    colour: red
    branding:
      color: reddish
    roles:
      - code: NIGHT
        permissions: [FLY]
`;
  test('lists every mistake with its path and line', async () => {
    const { mistakes, changes } = await check(yaml);
    expect(changes).toEqual([]);
    expect(mistakes.map(({ line, path }) => [line, path])).toEqual([
      [3, 'organisations.0.colour'],
      [5, 'organisations.0.branding.color'],
      [8, 'organisations.0.roles.0.permissions.0'],
    ]);
    const { status, body } = await save(yaml);
    expect([status, body.resultName]).toEqual([400, 'INVALID_REQUEST']);
    expect(body.message).toBe('This file has 3 errors, so nothing was imported.');
    expect(body.issues?.map(({ path }) => path)).toContain('configuration.organisations.0.branding.color');
  });

  test.each([
    ['{ no: yaml: }', ''],
    ['', 'configuration'],
    ['[]', ''],
    ['organisations: []', 'organisations'],
    ['organisations: [{ code: acme }, { code: globex }]', 'organisations'],
    ['organisations: [{ code: acme, roles: [{ code: A }, { code: A }] }]', 'organisations.0.roles.1.code'],
  ])('rejects %s', async (text, path) => {
    const { status, body } = await portal.call(checkConfiguration, { body: { configuration: text } }, admin);
    if (text === '') expect([status, body.issues?.[0]?.path]).toEqual([400, 'configuration']);
    else expect(body.mistakes.map((issue) => issue.path)).toEqual([path]);
  });

  const first = (file: Omit<Organisation, 'code'>) =>
    check(fileOf(file)).then(({ mistakes }) => mistakes.map(({ path, message }) => [path, message]));
  test('applies the same rules as the screens, and reports the path in the file', async () => {
    expect(
      await first({
        security: { allowedIps: ['203.0.113.0/24'] },
        roles: [
          { code: 'SUPER_ADMIN', name: 'Mine' },
          { code: 'TWIN', name: 'Auditor' },
        ],
        mails: [{ name: 'invitation', subject: 'No code', body: 'Nothing.' }],
        applications: [
          { id: 'team-wiki', type: 'saml', saml: { metadata: '<x/>' } },
          { id: 'one', type: 'oidc', oidc: { redirectUris: ['http://insecure.test/cb'] } },
          { id: 'two', type: 'oidc', oidc: {} },
          { id: 'three', type: 'saml', saml: { metadata: '<x/>', redirectUrl: 'https://sp.test/' } },
          { id: 'four', type: 'oidc', oidc: OIDC, usableBy: { groups: ['Nobody'] } },
          { id: 'saml', type: 'oidc', oidc: OIDC },
          { id: 'five', type: 'oidc', oidc: OIDC, usableBy: { roles: ['NOBODY'] } },
          { id: 'six', type: 'oidc' },
          { id: 'travel-desk', oidc: OIDC },
        ],
      }),
    ).toMatchInlineSnapshot(`
      [
        [
          "organisations.0.applications.0.saml.metadata",
          "This is not SAML metadata: it doesn't start with an EntityDescriptor",
        ],
        [
          "organisations.0.applications.3.saml.metadata",
          "This is not SAML metadata: it doesn't start with an EntityDescriptor",
        ],
        [
          "organisations.0.security.allowedIps",
          "These addresses would lock you out. Your address is 127.0.0.1.",
        ],
        [
          "organisations.0.roles.0",
          "System roles can't be changed.",
        ],
        [
          "organisations.0.roles.1.name",
          "A role already has this name",
        ],
        [
          "organisations.0.mails.0.body",
          "Put [your words](\${link}) in its own paragraph, exactly once",
        ],
        [
          "organisations.0.applications.1.oidc.postLogoutRedirectUris",
          "Add at least one address",
        ],
        [
          "organisations.0.applications.2.oidc.redirectUris",
          "Add at least one address",
        ],
        [
          "organisations.0.applications.2.oidc.postLogoutRedirectUris",
          "Add at least one address",
        ],
        [
          "organisations.0.applications.4.usableBy.groups.0",
          "There is no group “Nobody”. Groups are not imported, so create it first",
        ],
        [
          "organisations.0.applications.5.id",
          "This ID is reserved",
        ],
        [
          "organisations.0.applications.6.usableBy.roles.0",
          "This role doesn't exist",
        ],
        [
          "organisations.0.applications.7.oidc",
          "This field is required",
        ],
        [
          "organisations.0.applications.8.oidc",
          "Applications of type saml do not have this setting",
        ],
      ]
    `);
  });

  const refuses = async (_kind: string, configuration: string) => {
    const { status, body } = await portal.call(checkConfiguration, { body: { configuration } }, admin);
    expect([status, body.mistakes?.length ?? body.issues?.length]).toEqual([200, expect.any(Number)]);
    expect(body.mistakes).not.toEqual([]);
  };
  const REFUSED = 'refuses a file with %s within the time limit';

  test.each([
    ['deeply nested YAML', `${'['.repeat(200_000)}`],
    [
      'a tree of aliases',
      `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefgh'].map((n, at) => `${n}: &${n} [${Array(9).fill(`*${'abcdefgh'[at]}`).join(',')}]`).join('\n')}`,
    ],
    ['more than 512 KB of YAML', `organisations: [{ code: acme }] # ${'x'.repeat(524_288)}`],
    ['too many applications', JSON.stringify(fileOf({ applications: Array(1_001).fill({ id: 'one' }) }))],
    ['an unsafe key', 'organisations: [{ code: acme, "__proto__": { polluted: true } }]'],
  ])(REFUSED, refuses);

  test.each([
    ['deeply nested JSON', `{"organisations":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['thousands of unknown YAML fields', `organisations:\n  - code: acme\n${unknown((at) => `    k${at}: 1`)}`],
    ['thousands of unknown JSON fields', `{"organisations":[{"code":"acme",${unknown((at) => `"k${at}":1`, ',')}}]}`],
    ['thousands of duplicate fields', `organisations:\n  - code: acme\n${unknown(() => '    name: x')}`],
  ])(REFUSED, { tags: 'whole' }, refuses);

  test.each(['', '\ufeff', ' \n\t\n'])('rejects an empty file: %j', async (configuration) => {
    expect(await portal.call(checkConfiguration, { body: { configuration } }, admin)).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'configuration', message: 'The file is empty' }] },
    });
  });

  test('accepts up to 4 MB of JSON', async () => {
    const file = fileOf({ branding: { color: '#aa0011' }, groups: [{ name: 'x' }] });
    const text = `${JSON.stringify(file)}${'\n'.repeat(4_000_000)}`;
    expect((await check(text)).changes).toHaveLength(1);
  });

  test('saves nothing if any item is invalid, even the last', async () => {
    const before = await exported();
    const file = fileOf({ branding: { color: '#aa0011' }, applications: [{ id: 'saml', type: 'ldap' }] });
    expect((await save(file)).body.resultName).toBe('INVALID_REQUEST');
    expect(await exported()).toBe(before);
    const { Items } = (await portal.call(listActivity, { query: {} }, admin)).body;
    expect(Items.filter(({ action }) => action === 'branding.updated')).toEqual([]);
  });
});

describe('import permissions and concurrent changes', () => {
  // covers: spec 2.2.42
  test('doesn’t overwrite changes made since the preview', async () => {
    const file = fileOf({ branding: { color: '#aa0011' } });
    const { version } = await check(file);
    await portal.call(createRole, { body: { name: 'Meanwhile', permissions: [] } }, admin);
    const { status, body } = await save(file, admin, version);
    expect([status, body.resultName]).toEqual([412, 'INVALID_REQUEST']);
    expect(body).toMatchObject({
      current: { kept: expect.arrayContaining([expect.objectContaining({ name: 'Meanwhile' })]) },
    });
    expect(organisationOf(await exported()).branding?.color).not.toBe('#aa0011');
    expect((await save(file, admin, (await check(file)).version)).status).toBe(200);
  });

  test('rejects changes that need permissions the importer doesn’t have', async () => {
    const helpdesk = await portal.signIn(HELPDESK);
    expect((await save(fileOf({}), helpdesk)).status).toBe(403);
    await portal.call(createRole, { body: { name: 'Looks', permissions: ['SESSION_MANAGEMENT'] } }, admin);
    setMember(portal, memberByEmail(portal, 'acme', HELPDESK).suid, { roleCode: 'LOOKS' });
    const errorsOf = async (roles: Organisation['roles']) =>
      (await check(fileOf({ roles }), helpdesk)).mistakes.map(({ path, message }) => [path, message]);
    expect(await errorsOf([{ code: 'NEW', permissions: [] }])).toEqual([
      ['organisations.0.roles.0', 'You need the permission “Create custom roles” for this.'],
    ]);
    expect(await errorsOf([{ code: 'AUDITOR', permissions: ['SESSION_MANAGEMENT'] }])).toHaveLength(1);
    expect(await errorsOf([{ code: 'AUDITOR' }])).toEqual([]);
  });

  test('doesn’t change another organisation, even if the file names it', async () => {
    await save(fileOf({ code: 'acme', branding: { color: '#aa0011' } }), other);
    expect(organisationOf(await exported()).branding?.color).not.toBe('#aa0011');
    expect(organisationOf(await exported(other)).branding?.color).toBe('#aa0011');
  });
});

test('applies an imported session timeout to running sessions immediately', async () => {
  const running = await portal.signIn('user@acme.test');
  await save(fileOf({ loginOptions: { sessionTimeout: 1 } }));
  portal.clock.advance(61);
  expect((await portal.call(listApps, { params: { orgCode: 'acme' } }, { token: running.token })).status).toBe(401);
});

test('lists a role from the file only once for a new application', async () => {
  const { changes } = await check(
    fileOf({
      roles: [{ code: 'NIGHT', name: 'Night shift' }],
      applications: [{ id: 'fresh', oidc: OIDC, usableBy: { roles: ['NIGHT'] } }],
    }),
  );
  const [, app] = changes;
  expect(app?.action).toBe('application.created');
  expect(app?.changes.filter(({ field }) => field.startsWith('usableBy'))).toEqual([
    { field: 'usableBy.roles', after: ['NIGHT'] },
    { field: 'usableBy.groups', after: [] },
    { field: 'usableBy.people', after: [] },
  ]);
});

test('swaps names and reuses freed names in one import', { tags: 'whole' }, async () => {
  const roles = [
    { code: 'AUDITOR', name: 'Onboarding Team' },
    { code: 'ONBOARDING_TEAM', name: 'Auditor' },
  ];
  const applications = [
    { id: 'team-wiki', name: 'Payroll' },
    { id: 'payroll', name: 'Travel Desk' },
    { id: 'travel-desk', name: 'Team Wiki' },
  ];
  const { mistakes, changes, version } = await check(fileOf({ roles, applications }));
  expect(mistakes).toEqual([]);
  expect(changes.map(({ object, changes: fields }) => [object.id, object.name, fields])).toEqual(
    [
      ['AUDITOR', 'Auditor', 'Onboarding Team'],
      ['ONBOARDING_TEAM', 'Onboarding Team', 'Auditor'],
      ['team-wiki', 'Team Wiki', 'Payroll'],
      ['payroll', 'Payroll', 'Travel Desk'],
      ['travel-desk', 'Travel Desk', 'Team Wiki'],
    ].map(([id, before, after]) => [id, after, [{ field: 'name', before, after }]]),
  );
  expect((await save(fileOf({ roles, applications }), admin, version)).status).toBe(200);
  const now = organisationOf(await exported());
  expect(now.roles).toEqual(expect.arrayContaining(roles.map((role) => expect.objectContaining(role))));
  expect(now.applications).toEqual(expect.arrayContaining(applications.map((app) => expect.objectContaining(app))));
  expect((await check(await exported())).changes).toEqual([]);
  // The audit trail must contain each rename exactly once.
  const { Items } = (await portal.call(listActivity, { query: {} }, admin)).body;
  const renames = Items.filter(({ action }) => action === 'role.updated' || action === 'application.updated');
  expect(renames.map(({ changes: fields }) => fields)).toEqual(changes.map(({ changes: fields }) => fields).reverse());
});

test('swaps two roles’ names, even if the file uses different spacing', {
  tags: 'whole',
}, async () => {
  const roles = [
    { code: 'AUDITOR', name: 'Onboarding  Team' },
    { code: 'ONBOARDING_TEAM', name: 'Auditor' },
  ];
  const { mistakes, version } = await check(fileOf({ roles }));
  expect(mistakes).toEqual([]);
  expect((await save(fileOf({ roles }), admin, version)).status).toBe(200);
});

test('finds a category whose name is written in full-width letters', { tags: 'whole' }, async () => {
  const faqNamed = (name: string) => [{ name, subcategories: [{ name: 'Expenses', records: [] }] }];
  await save(fileOf({ faq: faqNamed('Travel') }));
  const { mistakes } = await check(fileOf({ faq: faqNamed('\uff34ravel') }));
  expect(mistakes).toEqual([]);
});

describe('FAQ, APIs and webhooks', () => {
  const FAQ = [
    {
      name: 'Travel',
      subcategories: [{ name: 'Expenses', records: [{ question: 'Who pays?', answer: '<p>We do.</p>' }] }],
    },
  ];
  const APIS = [{ identifier: 'https://api.acme.test', name: 'Orders', scopes: ['read'] }];
  const HOOKS = [{ url: 'https://hooks.acme.test/in', description: 'Audit', events: ['role.created' as const] }];
  const MASKED = 'https://hooks.acme.test/…';
  /** Adapts a file to the other organisation, whose primary attribute has a different name. */
  const forOther = (file: string) => file.replaceAll('employeeId', 'primaryAttr');
  const REST = { faq: FAQ, apiResources: APIS, webhooks: HOOKS };

  test('can be created and changed by importing files, and are exported unchanged', async () => {
    const before = organisationOf(await exported());
    const { changes, mistakes, kept: stored } = await check(fileOf(REST));
    expect(mistakes).toEqual([]);
    expect(changes.map(({ action, object }) => [action, object.name])).toEqual([
      ['faq-category.created', 'Travel'],
      ['faq-subcategory.created', 'Expenses'],
      ['faq-record.created', 'Who pays?'],
      ['api-resource.created', 'Orders'],
      ['webhook.created', MASKED],
    ]);
    expect(stored).toEqual(
      expect.arrayContaining(
        (before.faq ?? []).map(({ name }) => expect.objectContaining({ type: 'faq-category', name })),
      ),
    );
    await save(fileOf(REST));
    const file = await exported();
    const now = organisationOf(file);
    expect(now.faq?.at(-1)).toEqual(FAQ[0]);
    expect(now.apiResources).toEqual([...(before.apiResources ?? []), ...APIS]);
    expect(now.webhooks?.at(-1)).toEqual({ ...HOOKS[0], url: MASKED, enabled: true });
    expect(await check(file)).toMatchObject({ mistakes: [], changes: [], leftOut: [], kept: [] });

    const edited = fileOf({
      faq: [
        {
          name: 'TRAVEL',
          subcategories: [{ name: 'Expenses', records: [{ question: 'Who pays?', answer: '<p>You do.</p>' }] }],
        },
      ],
      apiResources: [{ identifier: 'https://api.acme.test', scopes: ['read', 'write'] }],
      webhooks: [{ url: MASKED, enabled: false }],
    });
    expect((await check(edited)).changes.map(({ action, changes: fields }) => [action, fields])).toEqual([
      ['faq-category.updated', [{ field: 'name', before: 'Travel', after: 'TRAVEL' }]],
      ['faq-record.updated', [{ field: 'answer', before: '<p>We do.</p>', after: '<p>You do.</p>' }]],
      ['api-resource.updated', [{ field: 'scopes', before: ['read'], after: ['read', 'write'] }]],
      ['webhook.updated', [{ field: 'enabled', before: true, after: false }]],
    ]);
    const { status } = await save(edited);
    expect(status).toBe(200);
    expect(organisationOf(await exported()).apiResources?.at(-1)).toMatchObject({ name: 'Orders' });
    expect((await save(forOther(file), other)).status).toBe(200);
    const theirs = organisationOf(await exported(other));
    expect(theirs).toMatchObject({ apiResources: now.apiResources, webhooks: [] });
    expect(theirs.faq).toEqual(expect.arrayContaining(FAQ));
  });

  test('never contain secrets: existing webhooks keep theirs, and new webhooks get new ones', async () => {
    const { webhook, secret } = (await portal.call(createWebhook, { body: { url: 'https://a.test/' } }, admin)).body;
    expect(await exported()).not.toMatch(/secret|whsec/);
    const given = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const file = fileOf({
      webhooks: [
        { url: 'https://a.test/', secret: given },
        { url: 'https://b.test/', secret: given },
      ],
    });
    expect((await check(file)).leftOut.map(({ path }) => path)).toEqual([
      'organisations.0.webhooks.0.secret',
      'organisations.0.webhooks.1.secret',
    ]);
    await save(file);
    const secretOf = async (webhookId: string) =>
      (await portal.call(readWebhookSecret, { params: { webhookId } }, admin)).body.secret;
    expect(await secretOf(webhook.id)).toBe(secret);
    const { webhooks } = (await portal.call(listWebhooks, {}, admin)).body;
    const created = webhooks.find(({ url }) => url === 'https://b.test/');
    expect(await secretOf(created?.id ?? '')).not.toBe(given);
  });

  test('are exported with masked webhook addresses, which match existing webhooks by host', async () => {
    const add = (url: string, description: string) =>
      portal.call(createWebhook, { body: { url, description } }, admin).then(({ body }) => body.webhook);
    const first = await add('https://hooks.acme.test/T0/first-token', 'First');
    portal.clock.advance(1);
    const second = await add('https://hooks.acme.test/T0/second-token', 'Second');
    const file = await exported();
    expect(file).not.toMatch(/T0|-token/);
    expect(await check(file)).toMatchObject({ mistakes: [], changes: [], leftOut: [], kept: [] });
    const hooks = [{ url: MASKED }, { url: second.url, description: 'Full' }, { url: MASKED, description: 'Third' }];
    const { changes, leftOut, kept: stored } = await check(fileOf({ webhooks: hooks }));
    expect(changes.map(({ object }) => object.id)).toEqual([second.id]);
    expect(leftOut).toMatchObject([
      { path: 'organisations.0.webhooks.2.url', message: expect.stringContaining('masked') },
    ]);
    expect(stored.filter(({ type }) => type === 'webhook')).toEqual([]);
    await save(fileOf({ webhooks: hooks }));
    const present = (await portal.call(listWebhooks, {}, admin)).body.webhooks;
    expect(present.map(({ id, description }) => [id, description])).toEqual([
      [first.id, 'First'],
      [second.id, 'Full'],
    ]);
  });

  test('follow the same rules as the screens, with line and path', async () => {
    const unanswered = `organisations:
  - code: acme
    faq:
      - name: Travel
        subcategories:
          - name: Expenses
            records:
              - question: Who?
                answer: <p> </p>
`;
    const { mistakes } = await check(`${unanswered}          - name: expenses
      - name: travel
    apiResources:
      - { identifier: 'https://x.test', name: "a\u202eb" }
      - { identifier: 'https://x.test' }
    webhooks:
      - url: http://example.com/
`);
    expect(mistakes.map(({ line, path }) => [line, path])).toEqual([
      [10, 'organisations.0.faq.0.subcategories.1.name'],
      [11, 'organisations.0.faq.1.name'],
      [14, 'organisations.0.apiResources.1.identifier'],
    ]);
    const { mistakes: others } = await check(`${unanswered}    apiResources:
      - { identifier: 'https://x.test', name: "a\u202eb" }
    webhooks:
      - url: http://169.254.169.254/
`);
    expect(others.map(({ line, path }) => [line, path])).toEqual([
      [8, 'organisations.0.faq.0.subcategories.0.records.0'],
      [11, 'organisations.0.apiResources.0.name'],
      [13, 'organisations.0.webhooks.0.url'],
    ]);
  });

  test('stay separate if they have duplicate names', { tags: 'whole' }, async () => {
    const body = { url: 'https://a.test/', description: '', events: ['role.created' as const] };
    await portal.call(createWebhook, { body }, admin);
    await portal.call(createWebhook, { body: { ...body, events: ['role.deleted' as const] } }, admin);
    const file = await exported();
    expect((await check(file)).changes).toEqual([]);
    expect((await save(forOther(file), other)).status).toBe(200);
    expect(organisationOf(await exported(other)).webhooks).toEqual(organisationOf(file).webhooks);
  });
});

test('previews the people and groups that an import adds to an application', async () => {
  const { body } = await portal.call(createGroup, { body: { displayName: 'Night crew' } }, admin);
  const { groupId } = body.group;
  const [app] = organisationOf(await exported()).applications?.filter(({ id }) => id === 'team-wiki') ?? [];
  const { changes } = await check(
    fileOf({ applications: [{ ...app, id: 'team-wiki', usableBy: { groups: ['Night crew'] } }] }),
  );
  const fields = changes.flatMap((change) => change.changes);
  expect(fields).toContainEqual({ field: 'usableBy.groups', after: ['Night crew'] });
  expect(JSON.stringify(fields)).not.toContain(groupId);
});

test('keeps the people assigned to an application, whatever roles the file contains', { tags: 'whole' }, async () => {
  const params = { orgCode: 'acme', appId: 'team-wiki' };
  const { suid } = memberByEmail(portal, 'acme', 'user@acme.test');
  const usableBy = { roles: [], people: [suid], groups: [] };
  await portal.call(updateApp, { params, body: { usableBy } }, admin);
  await save(fileOf({ applications: [{ id: 'team-wiki', usableBy: { roles: ['AUDITOR'] } }] }));
  const { app } = (await portal.call(getApp, { params }, admin)).body;
  expect(app.usableBy).toMatchObject({ roles: ['AUDITOR'], people: [{ suid }] });
  await save(fileOf({ applications: [{ id: 'team-wiki', usableBy: null }] }));
  expect((await portal.call(getApp, { params }, admin)).body.app.usableBy).toBeNull();
});

test('imports logos and validates them like uploads', { tags: 'whole' }, async () => {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const logo = { contentType: 'image/png', bytes: png };
  await save(fileOf({ branding: { logo }, applications: [{ id: 'team-wiki', logo }] }));
  const now = organisationOf(await exported());
  expect([now.branding?.logo, now.applications?.find(({ id }) => id === 'team-wiki')?.logo]).toEqual([logo, logo]);
  expect((await check(await exported())).changes).toEqual([]);
  const bad = { contentType: 'image/png', bytes: Buffer.from('<html>').toString('base64') };
  const { mistakes } = await check(fileOf({ branding: { logo: bad }, applications: [{ id: 'team-wiki', logo: bad }] }));
  expect(mistakes.map(({ path }) => path)).toEqual([
    'organisations.0.branding.logo',
    'organisations.0.applications.0.logo',
  ]);
  await save(fileOf({ branding: { logo: null } }));
  expect(organisationOf(await exported()).branding?.logo).toBeNull();
});

test('notifies webhooks of the imported changes', async () => {
  const service = await startReceiver();
  const body = { url: service.url, events: ['role.created' as const] };
  await portal.call(createWebhook, { body }, admin);
  await save(fileOf({ roles: [{ code: 'NIGHT', name: 'Night shift' }] }));
  await service.until(1);
  expect(JSON.parse(service.received[0]?.body ?? '{}')).toMatchObject({ type: 'role.created' });
  await service.close();
});

describe('a portal application', () => {
  const STAFF = { id: 'staff', type: 'portal', name: 'Staff Portal' } as const;
  test('is created alongside the existing portal application by the organisation’s own file', async () => {
    const { changes } = await check(fileOf({ applications: [STAFF] }));
    expect(changes.map(({ action, object }) => [action, object.id])).toEqual([['application.created', 'staff']]);
    await save(fileOf({ applications: [STAFF] }));
    expect((await check(await exported())).changes).toEqual([]);
  });

  test('matches the other organisation’s portal application if each has only one', async () => {
    const options = { code: 'globex', applications: [{ ...STAFF, webAuthnEnabled: false }] };
    expect((await check(fileOf(options))).changes).toEqual([
      {
        action: 'application.updated',
        object: { type: 'application', id: 'portal', name: 'Acme Portal' },
        changes: [{ field: 'webAuthnEnabled', before: true, after: false }],
      },
    ]);
    const two = fileOf({ code: 'globex', applications: [STAFF, { ...STAFF, id: 'guests', name: 'Guests' }] });
    expect((await check(two)).changes.map(({ object }) => object.id)).toEqual(['staff', 'guests']);
  });
});

test('shortens a long changed value to the text around the difference', { tags: 'whole' }, async () => {
  const text = await exported(admin, 'yaml');
  const { changes } = await check(text.replace('travel.acme.test/saml/acs', 'evil.test/saml/acs'));
  expect(changes).toHaveLength(1);
  expect(changes[0]?.changes).toEqual([
    {
      field: 'provider.metadata',
      before: expect.stringMatching(/^….{1,80}https:\/\/travel\.acme\.test\/saml\/acs.*…$/s),
      after: expect.stringMatching(/^….{1,80}https:\/\/evil\.test\/saml\/acs.*…$/s),
    },
  ]);
});

test('doesn’t save the portal’s default email texts as custom texts', { tags: 'whole' }, async () => {
  const { mails } = (await portal.call(listMailTexts, {}, admin)).body;
  const words = mails.map(({ name, standard }) => ({ name, ...standard }));
  await save(fileOf({ mails: words }));
  expect(organisationOf(await exported()).mails).toEqual([]);
});

test('names the member who made changes since the preview', async () => {
  const { version } = await check(fileOf({}));
  await portal.call(createRole, { body: { name: 'Meanwhile', permissions: [] } }, admin);
  const { body } = await save(fileOf({}), admin, version);
  expect(body).toMatchObject({ changedBy: { name: 'Avery Lindqvist' }, changedAt: portal.clock.iso() });
});

test('imports a client without secrets as a public client, like a world file', async () => {
  const application = {
    id: 'phone-app',
    oidc: { redirectUris: ['com.acme.app:/cb'], postLogoutRedirectUris: ['com.acme.app:/out'], secrets: [] },
  };
  expect((await save(fileOf({ applications: [application] }))).status).toBe(200);
  const { app } = (await portal.call(getApp, { params: { orgCode: 'acme', appId: 'phone-app' } }, admin)).body;
  expect([app.oidcConfiguration?.clients.kind, app.oidcConfiguration?.clientSecrets]).toEqual(['native', []]);
});

test('keeps application access settings that the file doesn’t mention', { tags: 'whole' }, async () => {
  const params = { orgCode: 'acme', appId: 'payroll' };
  const { groupId } = (await portal.call(createGroup, { body: { displayName: 'Crew' } }, admin)).body.group;
  const usableBy = { roles: ['AUDITOR'], groups: [groupId], people: [] };
  await portal.call(updateApp, { params, body: { usableBy } }, admin);
  expect(
    (await check(fileOf({ applications: [{ id: 'payroll', usableBy: { roles: ['AUDITOR'] } }] }))).changes,
  ).toEqual([]);
  expect((await check(fileOf({ applications: [{ id: 'payroll', usableBy: {} }] }))).changes).toEqual([]);
  await portal.call(deleteRole, { body: { roleCode: 'AUDITOR' } }, admin);
  expect((await check(await exported())).mistakes, 'what was for a deleted role').toEqual([]);
});

test('skips times and directory names, and reports that', { tags: 'whole' }, async () => {
  const file = {
    ...fileOf({ roles: [{ code: 'AUDITOR', externalId: 'x', createdAt: '-3d' }] }),
    now: '2026-01-01T00:00:00.000Z',
  };
  expect((await check(file)).leftOut.map(({ path }) => path)).toEqual([
    'now',
    'organisations.0.roles.0.externalId',
    'organisations.0.roles.0.createdAt',
  ]);
});

test('ignores empty sections, and never quotes values that YAML misreads', {
  tags: 'whole',
}, async () => {
  expect(await check('organisations:\n  - code: acme\n    roles:\n    branding:\n')).toMatchObject({
    mistakes: [],
    changes: [],
  });
  for (const value of ['!Zq98765432', '*Zq98765432']) {
    const { mistakes } = await check(
      `organisations:\n  - { code: acme, applications: [{ id: a, radius: { secret: ${value} } }] }`,
    );
    expect(mistakes).toHaveLength(1);
    expect(JSON.stringify(mistakes)).toContain('in quotes');
    expect(JSON.stringify(mistakes)).not.toContain('Zq98765432');
  }
});

test('rejects an application ID that differs only in case from an existing one', async () => {
  expect((await check(fileOf({ applications: [{ id: 'Team-Wiki', oidc: OIDC }] }))).mistakes).toHaveLength(1);
});
