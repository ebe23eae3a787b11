import { applicationRepo } from '@orchestrate/db';
import { getOrgApp, saveOrgApp } from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TEST_NOW, type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
let token: string;
beforeEach(async () => {
  portal = await testPortal();
  ({ token } = await portal.signIn('security.admin@acme.test'));
});
afterEach(() => portal.close());

const OPTIONS = {
  maxCookieLife: 3_600,
  didEnabled: false,
  webAuthnEnabled: true,
  desktopAppEnabled: false,
  forceAuthnEnabled: true,
};
const read = (appId?: string) => portal.call(getOrgApp, { query: { orgCode: 'acme', appId } }, { token });
const save = (changes: object = {}) => portal.call(saveOrgApp, { body: { ...OPTIONS, ...changes } }, { token });

function addPortal(): void {
  const app = { orgCode: 'acme', appId: 'second', name: 'Second', integrationType: 'portal' as const };
  applicationRepo.insertApplication(portal.deps.db, { ...app, createdAt: TEST_NOW });
}

// covers: spec 2.7.14
test('returns the portal application’s login options, with the cookie lifetime in seconds', async () => {
  expect((await read()).body.orgApp).toMatchObject({ appId: 'portal', name: 'Acme Portal', forceAuthnEnabled: false });
  const saved = await save();
  expect(saved.body.orgApp).toMatchObject({ appId: 'portal', name: 'Acme Portal', ...OPTIONS });
  expect((await read()).body).toEqual(saved.body);
});

// covers: spec 2.8.32
test('requires a name if there are several portal applications (MULTIPLE_APPS)', async () => {
  addPortal();
  expect((await read()).body.resultName).toBe('MULTIPLE_APPS');
  expect(await save()).toMatchObject({ status: 200, body: { resultName: 'MULTIPLE_APPS' } });
  expect((await save({ appId: 'second' })).body.orgApp).toMatchObject({ appId: 'second', ...OPTIONS });
  expect((await read('portal')).body.orgApp).toMatchObject({ forceAuthnEnabled: false });
});

test('returns code 38 for an unknown application or one that isn’t a portal application', async () => {
  for (const appId of ['nothing', 'payroll']) {
    expect(await read(appId)).toMatchObject({ status: 404, body: { resultName: 'ORG_APP_MISSING' } });
    expect((await save({ appId })).body.resultName).toBe('ORG_APP_MISSING');
  }
  applicationRepo.deleteApplication(portal.deps.db, 'acme', 'portal');
  expect((await read()).body.resultName).toBe('ORG_APP_MISSING');
});

// covers: spec 2.8.36
test('rejects access to another organisation (FORBIDDEN)', async () => {
  expect((await save({ orgCode: 'globex' })).body.resultName).toBe('FORBIDDEN');
});

test.each([-1, 0.5, 315_360_001, 'long'])('rejects a cookie lifetime of %s seconds', async (maxCookieLife) => {
  expect((await save({ maxCookieLife })).body).toMatchObject({
    resultName: 'INVALID_REQUEST',
    issues: [{ path: 'maxCookieLife' }],
  });
});
