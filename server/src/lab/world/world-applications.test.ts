import { getApp, makeSession, resetLab, updateApp, updateSamlApp } from '@orchestrate/shared';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal({ seed: 'none' });
});
afterAll(() => portal.close());

const metadata =
  '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://wiki.test"><SPSSODescriptor ' +
  'protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><AssertionConsumerService index="0" ' +
  'Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://wiki.test/acs"/></SPSSODescriptor></EntityDescriptor>';
const people = [{ email: 'peter@initech.test', role: 'SUPER_ADMIN', devices: [{}] }];

/** Imports a world with these applications. */
const importing = (...applications: object[]) =>
  portal.call(resetLab, { body: { seed: { organisations: [{ code: 'initech', people, applications }] } } } as never);
const saml = (settings: object) => ({ id: 'wiki', type: 'saml', saml: { metadata, ...settings } });
const claim = (value: string) => ({ id: 'crm', oidc: { claims: [{ name: 'mail', value }] } });

test.each<[string, object, string, string]>([
  [
    'name ID',
    saml({ nameIdTransformationTemplate: '${emial}' }),
    'saml.nameIdTransformationTemplate',
    'emial is not a member field',
  ],
  ['name ID', saml({ nameIdTransformationTemplate: '${' }), 'saml.nameIdTransformationTemplate', 'Unclosed ${'],
  ['name ID', saml({ nameId: 'emial' }), 'saml.nameId', 'Choose a member field'],
  ['attribute', saml({ attributes: ['emial'] }), 'saml.attributes.0', 'emial is not a member field. Add a transform'],
  [
    'attribute',
    saml({ attributes: ['mail'], attributesConfig: [{ name: 'mail', transform: '${emial}' }] }),
    'saml.attributesConfig.0.transform',
    'emial is not a member field',
  ],
  [
    'attribute',
    saml({ attributes: ['email'], attributesConfig: [{ name: 'mail', transform: '${email}' }] }),
    'saml.attributesConfig.0.name',
    'There is no attribute named mail',
  ],
  ['claim', claim('${emial}'), 'oidc.claims.0.value', 'emial is not a member field'],
  ['claim', claim('${'), 'oidc.claims.0.value', 'Unclosed ${'],
])('refuses a world with a misspelt %s template as the editor does', async (_, application, field, message) => {
  const { status, body } = await importing(application);
  expect({ status, issues: body.issues }).toEqual({
    status: 400,
    issues: [{ path: `seed.organisations.0.applications.0.${field}`, message }],
  });
});

test('accepts templates of member fields and of the organisation’s primary attribute', async () => {
  const own = { code: 'initech', primaryAttrField: 'badge', people };
  const wiki = saml({ nameIdTransformationTemplate: '${badge|lower}', attributes: ['badge', 'groups'] });
  const body = { seed: { organisations: [{ ...own, applications: [wiki, claim('${badge}')] }] } };
  expect((await portal.call(resetLab, { body } as never)).body).toEqual({ resultCode: 0 });
});

test('saves the applications of a minimal world unchanged', async () => {
  const kinds = ['web', 'single-page', 'native', 'machine'];
  const oidc = kinds.map((kind) => ({ id: kind, oidc: { kind } }));
  const { body } = await importing(...oidc, saml({}), { id: 'vpn', type: 'radius' }, { id: 'directory', type: 'ldap' });
  expect(body).toEqual({ resultCode: 0 });
  const { token } = (await portal.call(makeSession, { body: { email: 'peter@initech.test' } })).body;
  for (const appId of [...kinds, 'wiki', 'vpn', 'directory', 'portal']) {
    const params = { orgCode: 'initech', appId };
    const { app } = (await portal.call(getApp, { params }, { token })).body;
    const entry = app.integrationType === 'saml' ? updateSamlApp : updateApp;
    const present = Object.entries({ ...app, ...app.samlConfiguration }).filter(([, value]) => value !== null);
    const unchanged = Object.fromEntries(present.filter(([name]) => Object.hasOwn(entry.body.shape, name)));
    const saved = await portal.call(entry, { params, body: unchanged } as never, { token });
    expect(saved.body, JSON.stringify(saved.body)).toMatchObject({ resultCode: 0 });
    expect((await portal.call(getApp, { params }, { token })).body.app, appId).toEqual(app);
  }
});
