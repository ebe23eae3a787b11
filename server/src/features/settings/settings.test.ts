import { getOrgSettings } from '@orchestrate/shared';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
});
afterAll(() => portal.close());

// covers: spec 2.3.7, spec 2.7.12
test('returns the sign-in page’s branding without a token', async () => {
  const { status, body } = await portal.call(getOrgSettings, { query: { code: 'acme' } });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    resultCode: 0,
    orgCode: 'acme',
    name: 'Acme Corporation',
    primaryAttrField: 'employeeId',
    color: '#FACC15',
    logo: null,
    didEnabled: true,
  });
});

test('accepts an organisation code in capitals and surrounded by spaces', async () => {
  const { body } = await portal.call(getOrgSettings, { query: { code: ' ACME ' } });
  expect(body.orgCode).toBe('acme');
});

// covers: spec 2.7.12
test('returns code 18 for an unknown organisation', async () => {
  expect(await portal.call(getOrgSettings, { query: { code: 'nobody' } })).toMatchObject({
    status: 404,
    body: { resultName: 'ORG_CODE_NOT_FOUND' },
  });
});

test.each(['/api/org/settings', '/api/faq/public', '/api/faq/public?code=', '/api/oidc/login'])(
  'rejects %s because it doesn’t name an organisation (ORG_MISSING)',
  async (address) => {
    const { status, body } = await portal.http.get(address);
    expect({ status, name: body.resultName }).toEqual({ status: 400, name: 'ORG_MISSING' });
  },
);

test('rejects a malformed organisation code with a schema error', async () => {
  expect(await portal.call(getOrgSettings, { query: { code: 'a/b' } })).toMatchObject({
    status: 400,
    body: { resultName: 'INVALID_REQUEST', issues: [{ path: 'code', message: expect.stringContaining('letters') }] },
  });
});

// covers: spec 1.2.27
test('returns 404 at the logo URL of an organisation without a logo', async () => {
  const { status, body } = await portal.http.get('/logos/acme');
  expect(status).toBe(404);
  expect(body).toMatchObject({ resultName: 'ID_DOESNOT_EXIST' });
});
