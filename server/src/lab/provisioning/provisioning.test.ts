import { scimCredentialsRepo } from '@orchestrate/db';
import { addFault, clearFaults, PROVISIONING_DIALECTS, replayProvisioning } from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

const EMAIL = 'isaac.brock@acme.test';

/** Portal whose lab replays a script. A second portal stands in for the client's service. */
let portal: TestPortal;
let service: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
  service = await testPortal();
});
afterEach(async () => {
  await portal.close();
  await service.close();
});

const credentialsOf = ({ deps }: TestPortal) => {
  const { username, password } = scimCredentialsRepo.findScimCredentials(deps.db, 'acme') ?? {};
  return { username, password };
};
const scimOf = ({ url }: TestPortal) => `${url}/scim/v2/acme`;

test.each(PROVISIONING_DIALECTS)(
  'acceptance 18: replays a provisioning script against our own and a client’s endpoint: %s',
  async (dialect) => {
    for (const target of [portal, service]) {
      const body = { dialect, url: scimOf(target), email: EMAIL, ...credentialsOf(target) };
      const { status, body: replayed } = await portal.call(replayProvisioning, { body });
      expect(status).toBe(200);
      expect(replayed.steps.filter(({ ok }) => !ok)).toEqual([]);
      expect(replayed).toMatchObject({ ok: true });
      expect(replayed.steps.map(({ method }) => method)).toEqual(
        dialect === 'okta'
          ? ['GET', 'GET', 'POST', 'GET', 'PUT', 'PATCH', 'GET', 'PATCH', 'GET']
          : ['GET', 'GET', 'POST', 'GET', 'PATCH', 'GET', 'PATCH', 'GET', 'PATCH', 'GET', 'DELETE', 'GET'],
      );
    }
  },
);

test('reports the differing field if a service doesn’t deactivate', async () => {
  const path = '/scim/v2/acme/Users/:id';
  await service.call(addFault, { body: { match: { method: 'PATCH', path }, answer: { status: 204 } } });
  const { body } = await portal.call(replayProvisioning, {
    body: { dialect: 'okta', url: `${scimOf(service)}/`, email: EMAIL, ...credentialsOf(service) },
  });
  expect(body.steps.filter(({ ok }) => !ok)).toMatchObject([
    {
      name: 'reads that the person is not active',
      status: 200,
      differs: [{ field: 'active', expected: false, actual: true }],
    },
  ]);
  await service.call(clearFaults, { query: {} });
});

test('ends the replay if a service rejects the credentials, disconnects or returns no ID', async () => {
  const refused = (
    await portal.call(replayProvisioning, { body: { dialect: 'entra', url: scimOf(service), token: 'wrong' } })
  ).body;
  expect(refused.steps.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  expect(refused.steps[0]).toMatchObject({ differs: [{ field: 'status', expected: '200', actual: 401 }] });

  await service.call(addFault, {
    body: { match: { path: '/scim/v2/acme/Users' }, answer: { cut: true }, times: 10 },
  });
  const cut = (
    await portal.call(replayProvisioning, {
      body: { dialect: 'okta', url: scimOf(service), ...credentialsOf(service) },
    })
  ).body;
  expect(cut).toMatchObject({ ok: false, steps: Array.from({ length: 4 }, () => ({ status: null })) });
});

test('reaches neither other networks nor the lab, and accepts only one kind of credentials', async () => {
  const ask = async (body: object) => {
    const answer = await portal.call(replayProvisioning, { body: { dialect: 'okta', ...body } as never });
    return { status: answer.status, paths: answer.body.issues?.map(({ path }) => path) };
  };
  for (const url of ['http://10.0.0.7/scim', 'http://example.org/scim', 'ftp://localhost/', 'nonsense']) {
    expect(await ask({ url })).toEqual({ status: 400, paths: ['url'] });
  }
  const both = { url: scimOf(service), token: 'a', username: 'b', password: 'c' };
  expect(await ask(both)).toEqual({ status: 400, paths: ['token'] });
  expect(await ask({ url: scimOf(service), dialect: 'oktaa' })).toEqual({ status: 400, paths: ['dialect'] });

  for (const url of [`${portal.url}/api/lab/clock?`, `${scimOf(service)}#`]) {
    expect(await ask({ url })).toEqual({ status: 400, paths: ['url'] });
  }
  const unused = [
    { password: 'c' },
    { token: 'a', password: 'c' },
    { token: 'a\nb' },
    { token: 'ä' },
    { username: 'a:b', password: 'c' },
  ];
  const paths = await Promise.all(unused.map(async (more) => (await ask({ url: scimOf(service), ...more })).paths));
  expect(paths).toEqual([['password'], ['password'], ['token'], ['token'], ['username']]);

  const { body } = await portal.call(replayProvisioning, {
    body: { dialect: 'okta', url: `${portal.url}/api/lab` },
  });
  expect(body.steps.map(({ ok }) => ok)).not.toContain(true);
});
