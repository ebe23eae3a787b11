import {
  type AuthState,
  createApp,
  deleteAppLogo,
  duplicateApp,
  getApp,
  getUser,
  type InputOf,
  listActivity,
  listAppSignIns,
  listApps,
  listOwnApps,
  readWorld,
  saveAppLogo,
  updateApp,
  updateSamlApp,
} from '@orchestrate/shared';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { etagOf } from '#testing/editing.ts';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
let admin: AuthState;
beforeEach(async () => {
  portal = await testPortal();
  admin = await portal.signIn('super.admin@acme.test');
});
afterEach(() => portal.close());

const orgCode = 'acme';
const of = (appId: string) => ({ orgCode, appId });
const change = (appId: string, body: InputOf<typeof updateApp>['body']) =>
  portal.call(updateApp, { params: of(appId), body }, admin);
const own = async (by: AuthState = admin) => (await portal.call(listOwnApps, {}, by)).body.apps;
const start = 'https://wiki.acme.test/login';

describe('listing a member’s own applications', () => {
  test('returns applications opened in a browser, sorted by name, with their start addresses', async () => {
    await change('team-wiki', { startUrl: start, description: 'Notes of all teams' });
    expect(await own()).toEqual([
      {
        ...{ appId: 'payroll', name: 'Payroll', description: expect.any(String), logo: null },
        ...{ opensAt: 'https://payroll.acme.test/', lastSignInAt: expect.any(String) },
      },
      {
        ...{ appId: 'team-wiki', name: 'Team Wiki', description: 'Notes of all teams', logo: null },
        ...{ opensAt: start, lastSignInAt: expect.any(String) },
      },
      expect.objectContaining({ appId: 'travel-desk', opensAt: `${portal.url}/saml/acme/travel-desk/sso` }),
    ]);
    const page = 'https://travel.acme.test/start';
    await portal.call(updateSamlApp, { params: of('travel-desk'), body: { startUrl: page } }, admin);
    expect((await own()).find(({ appId }) => appId === 'travel-desk')?.opensAt).toBe(page);
  });

  test('returns the time of the member’s last sign-in to each application', async () => {
    const { body } = await portal.call(listAppSignIns, { params: of('payroll'), query: { status: 'Success' } }, admin);
    const [last] = body.Items;
    const { profile } = (await portal.call(getUser, { query: { suid: last?.suid ?? '' } }, admin)).body;
    const member = await portal.signIn(profile.primaryEmail);
    const apps = new Map((await own(member)).map(({ appId, lastSignInAt }) => [appId, lastSignInAt]));
    expect(apps.get('payroll')).toBe(last?.timestamp);
    expect(apps.get('travel-desk')).toBeNull();
  });

  test('returns only applications that the member can use and that allow sign-in', async () => {
    const user = await portal.signIn('user@acme.test');
    await change('payroll', { usableBy: { roles: ['SUPER_ADMIN'], people: [], groups: [] } });
    const named = (apps: { appId: string }[]) => apps.map(({ appId }) => appId);
    expect(named(await own(user))).toEqual(['team-wiki', 'travel-desk']);
    expect(named(await own())).toEqual(['payroll', 'team-wiki', 'travel-desk']);
    const machine = { kind: 'machine' as const, redirect_uris: [], post_logout_redirect_uris: [] };
    const body = { orgCode, name: 'Batch', oidcConfiguration: { clients: machine } };
    await portal.call(createApp, { params: { orgCode }, body }, admin);
    const radius = { orgCode, name: 'Gateway', integrationType: 'radius' as const };
    await portal.call(createApp, { params: { orgCode }, body: radius }, admin);
    expect(named(await own())).toEqual(['payroll', 'team-wiki', 'travel-desk']);
  });

  test('returns only the applications of the member’s organisation', async () => {
    const outsider = await portal.signIn('admin@globex.test');
    expect((await own(outsider)).map(({ appId }) => appId)).not.toContain('team-wiki');
    expect((await portal.call(listOwnApps, {})).status).toBe(401);
  });
});

describe('a start address', () => {
  test('can be added, changed and removed', async () => {
    const clients = {
      redirect_uris: ['https://crm.acme.test/cb'],
      post_logout_redirect_uris: ['https://crm.acme.test/'],
    };
    const body = { orgCode, name: 'CRM', startUrl: start, oidcConfiguration: { clients } };
    const { app } = (await portal.call(createApp, { params: { orgCode }, body }, admin)).body;
    expect(app.startUrl).toBe(start);
    expect((await change(app.appId, { description: 'x' })).body.app.startUrl).toBe(start);
    expect((await change(app.appId, { startUrl: '' })).body.app.startUrl).toBe('');
  });

  test.each(['javascript:alert(1)', 'data:text/html,x', '//wiki', 'wiki', 'com.acme.wiki:/start', 'https://a b'])(
    'is refused if it is %s',
    async (startUrl) => {
      expect(await change('team-wiki', { startUrl })).toMatchObject({
        status: 400,
        body: { issues: [{ path: 'startUrl' }] },
      });
    },
  );

  test('is refused if the application isn’t opened in a browser', async () => {
    const radius = { orgCode, name: 'Gateway', integrationType: 'radius' as const, startUrl: start };
    const refused = { status: 400, body: { issues: [{ path: 'startUrl' }] } };
    expect(await portal.call(createApp, { params: { orgCode }, body: radius }, admin)).toMatchObject(refused);
    expect(await change('portal', { startUrl: start })).toMatchObject(refused);
  });
});

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script><rect width="9" height="9"/></svg>';

describe('a logo', () => {
  const save = (appId: string, file: File, by: AuthState = admin) => {
    const body = new FormData();
    body.set('file', file);
    return portal.call(saveAppLogo, { params: of(appId), body }, by);
  };
  const detail = async (appId: string) => (await portal.call(getApp, { params: of(appId) }, admin)).body.app;

  test('is public, appears in lists, and can be replaced and removed', async () => {
    const saved = await save('team-wiki', new File([PNG], 'wiki.png'));
    const { logo } = saved.body;
    expect(logo).toMatch(/^\/logos\/acme\/team-wiki\?v=/);
    const served = await portal.http.get(logo);
    expect(served.headers['content-type']).toBe('image/png');
    expect(served.headers['cache-control']).toContain('immutable');
    expect(served.body).toEqual(PNG);
    const { apps } = (await portal.call(listApps, { params: { orgCode } }, admin)).body;
    expect(apps.map((app) => [app.appId, app.logo])).toContainEqual(['team-wiki', logo]);
    expect((await own()).map((app) => [app.appId, app.logo])).toContainEqual(['team-wiki', logo]);
    const second = await save('team-wiki', new File([SVG], 'wiki.svg'));
    expect(second.body.logo).not.toBe(logo);
    const drawing = await portal.http.get(second.body.logo);
    expect(String(drawing.body)).not.toContain('script');
    expect(drawing.headers['content-security-policy']).toContain("default-src 'none'");
    await portal.call(deleteAppLogo, { params: of('team-wiki') }, admin);
    expect((await detail('team-wiki')).logo).toBeNull();
    expect((await portal.http.get('/logos/acme/team-wiki')).status).toBe(404);
  });

  test('can be changed while a colleague edits the application, and is recorded in the audit trail', async () => {
    const ifMatch = etagOf(await portal.call(getApp, { params: of('team-wiki') }, admin));
    await save('team-wiki', new File([PNG], 'wiki.png'));
    const input = { params: of('team-wiki'), body: { description: 'New' } };
    expect((await portal.call(updateApp, input, { token: admin.token, ifMatch })).status).toBe(200);
    const { Items } = (await portal.call(listActivity, { query: {} }, admin)).body;
    expect(Items.flatMap(({ changes }) => changes.map(({ field }) => field))).toContain('logo');
  });

  test('is refused if it isn’t an image, and the previous logo stays', async () => {
    const { logo } = (await save('team-wiki', new File([PNG], 'wiki.png'))).body;
    for (const file of [new File(['MZ'], 'wiki.png'), new File([], 'wiki.png'), new File([PNG], 'wiki.svg')]) {
      expect(await save('team-wiki', file)).toMatchObject({
        status: 400,
        body: { resultName: 'INVALID_REQUEST', issues: [{ path: 'file' }] },
      });
    }
    expect((await detail('team-wiki')).logo).toBe(logo);
  });

  test('can be changed only by members who can configure the application', async () => {
    const user = await portal.signIn('user@acme.test');
    expect((await save('team-wiki', new File([PNG], 'wiki.png'), user)).body.resultName).toBe('INVALID_PERMISSIONS');
    expect((await save('nothing', new File([PNG], 'wiki.png'))).body.resultName).toBe('ORG_APP_MISSING');
  });

  test('is copied when the application is duplicated, independently of the original', async () => {
    await save('team-wiki', new File([PNG], 'wiki.png'));
    await change('team-wiki', { startUrl: start });
    const params = of('team-wiki');
    const { appId } = (await portal.call(duplicateApp, { params, body: { name: 'Copy' } }, admin)).body;
    await portal.call(deleteAppLogo, { params }, admin);
    const copy = await detail(appId);
    expect(copy).toMatchObject({ startUrl: start, logo: expect.stringContaining('/logos/acme/copy?v=') });
    expect((await portal.http.get(copy.logo ?? '')).body).toEqual(PNG);
  });

  test('is exported with a world, like the start address', { tags: 'whole' }, async () => {
    await save('team-wiki', new File([PNG], 'wiki.png'));
    await change('team-wiki', { startUrl: start });
    const before = await detail('team-wiki');
    const { world } = (await portal.call(readWorld, {})).body;
    await portal.lab.reset({ seed: world });
    admin = await portal.signIn('super.admin@acme.test');
    expect(await detail('team-wiki')).toMatchObject({ startUrl: start, logo: before.logo });
    expect((await portal.http.get(before.logo ?? '')).body).toEqual(PNG);
  });
});
