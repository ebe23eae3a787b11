import {
  beginAppTry,
  createRole,
  createSamlApp,
  deleteApp,
  duplicateApp,
  type EndpointDefinition,
  getApp,
  getDefaultLoginOptions,
  getOrgLoginOptions,
  listApps,
  previewApp,
  updateApp,
  updateSamlApp,
  updateUser,
  validateAppName,
} from '@orchestrate/shared';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memberByEmail } from '#testing/device.ts';
import { sampleOf } from '#testing/sample-of.ts';
import { testPortal } from '#testing/test-portal.ts';

// Set up here instead of in a hook, because the test names contain the portal's endpoints.
const portal = await testPortal({ now: Date.now() });
afterAll(() => portal.close());

const orgCode = 'acme';
const of = (appId: string) => ({ params: { orgCode, appId } });

/** Session of a member whose only permission is configuring SAML applications. */
let by: { token: string };
beforeAll(async () => {
  const admin = await portal.signIn('super.admin@acme.test');
  const permissions = ['ADD_UPDATE_SAML_CONFIGURATION' as const];
  const { roleCode } = (await portal.call(createRole, { body: { name: 'Federation', permissions } }, admin)).body;
  const { primaryAttr, firstName, lastName, primaryEmail } = memberByEmail(portal, orgCode, 'user@acme.test');
  const person = { primaryAttr, firstName, lastName, primaryEmail, roles: roleCode };
  await portal.call(updateUser, { body: person }, admin);
  by = await portal.signIn('user@acme.test');
});

const listed = async () =>
  (await portal.call(listApps, { params: { orgCode } }, by)).body.apps.map(({ appId }) => appId);

const entries = portal.deps.registered.endpoints.flatMap((entry: EndpointDefinition) => {
  const { access, method, path } = entry;
  return access.who === 'permission' ? [{ entry, ...access, name: `${method} ${path}` }] : [];
});
const closed = entries.filter(
  ({ permission, forSaml }) => permission !== 'ADD_UPDATE_SAML_CONFIGURATION' && forSaml === undefined,
);
const narrow = entries.filter(({ forSaml, entry }) => forSaml && entry.path.includes(':appId'));

describe('a member with only the permission to configure SAML applications', () => {
  test('lists only SAML applications', async () => {
    expect(await listed()).toEqual(['travel-desk']);
  });

  test.each(narrow)('does not find other applications: $name', async ({ entry }) => {
    const sample = sampleOf(entry);
    const request = { ...sample, params: { ...sample.params, orgCode, appId: 'team-wiki' } };
    const { status, body } = await portal.call(entry, request, by);
    expect({ status, result: body.resultName }).toEqual({ status: 404, result: 'ORG_APP_MISSING' });
  });

  test.each(closed)('cannot call endpoints that require other permissions: $name', async ({ entry }) => {
    expect((await portal.call(entry, sampleOf(entry), by)).body.resultName).toBe('INVALID_PERMISSIONS');
  });

  test('reads, tests, previews and changes a SAML application', async () => {
    const { app } = (await portal.call(getApp, of('travel-desk'), by)).body;
    expect(app.samlConfiguration?.samlNameId).toBe('primaryEmail');
    const body = { samlNameId: 'suid' };
    expect((await portal.call(updateSamlApp, { ...of('travel-desk'), body }, by)).body.resultCode).toBe(0);
    const description = 'Trips';
    expect((await portal.call(updateApp, { ...of('travel-desk'), body: { description } }, by)).body.resultCode).toBe(0);
    expect((await portal.call(previewApp, { ...of('travel-desk'), query: {} }, by)).body.preview.protocol).toBe('saml');
    expect((await portal.call(beginAppTry, { ...of('travel-desk'), body: {} }, by)).body.resultCode).toBe(0);
  });

  test('reads the organisation’s limits on login options', async () => {
    expect((await portal.call(getOrgLoginOptions, {}, by)).body).toMatchObject({ didEnabled: true });
  });

  test('adds SAML applications from metadata or a copy, and deletes them', async () => {
    const { result } = (await portal.call(getDefaultLoginOptions, { params: { orgCode } }, by)).body;
    const name = { appName: 'Expenses', orgId: orgCode };
    expect((await portal.call(validateAppName, { params: { orgCode }, body: name }, by)).body.result.available).toBe(
      true,
    );
    const { metadata } = (await portal.call(getApp, of('travel-desk'), by)).body.app.samlConfiguration ?? {};
    const app = {
      orgCode,
      name: 'Expenses',
      metadata: metadata ?? '',
      redirectUrl: 'https://expenses.acme.test/',
      samlNameId: result.samlNameId,
      samlAttributes: result.samlAttributes,
      flags: { didEnabled: true, webAuthnEnabled: true, forceAuthnEnabled: false },
    };
    expect((await portal.call(createSamlApp, { params: { orgCode }, body: app }, by)).body.appId).toBe('expenses');
    const copy = { ...of('expenses'), body: { name: 'Expenses 2' } };
    expect((await portal.call(duplicateApp, copy, by)).body.appId).toBe('expenses-2');
    expect(await listed()).toEqual(['expenses', 'expenses-2', 'travel-desk']);
    await portal.call(deleteApp, of('expenses-2'), by);
    expect(await listed()).toEqual(['expenses', 'travel-desk']);
  });
});
