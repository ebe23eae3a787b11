import { expect, test } from 'vitest';
import { testPortal } from '#testing/test-portal.ts';

test.each([
  '/oidc/acme/continue',
  '/oidc/acme/continue?id=a&id=b',
  '/oidc/acme/continue?id=%00',
  '/oidc/acme/auth',
  '/oidc/acme/auth?client_id=%E0%A4%A',
  '/oidc/acme/auth?client_id[]=team-wiki&scope[a]=b',
  `/oidc/acme/auth?client_id=${'x'.repeat(5_000)}`,
  '/oidc/acme/auth/nothing',
  '/oidc/acme/me?access_token=x',
  '/oidc/acme/session/end?id_token_hint=a.b.c',
  '/oidc/acme/session/end/success?client_id=nobody',
  '/oidc/acme/%2e%2e/api',
  '/oidc/%00/jwks',
])('rejects %s without logging an internal error', async (path) => {
  const portal = await testPortal();
  const cookie = 'app_login_a,b=x; app_login_=x; _session=; _interaction_resume=x';
  const { status } = await portal.http.get(path).set({ cookie, accept: 'text/html' });
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  await portal.close();
});

test.each([
  ['text/plain', 'grant_type=authorization_code'],
  ['application/json', '{"grant_type":"authorization_code"}'],
  ['application/x-www-form-urlencoded', 'grant_type=authorization_code&grant_type=refresh_token'],
  ['application/x-www-form-urlencoded', 'grant_type=client_credentials&client_id=team-wiki'],
  ['application/x-www-form-urlencoded', `code=${'x'.repeat(100_000)}`],
])('returns an OAuth error for an invalid %s body', async (contentType, body) => {
  const portal = await testPortal();
  const answer = await portal.http.post('/oidc/acme/token').type(contentType).send(body);
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.status).toBeLessThan(500);
  expect(answer.body).toMatchObject({ error: expect.any(String) });
  await portal.close();
});

test('lists the endpoints to a client that calls a path of another provider', async () => {
  const portal = await testPortal();
  for (const path of ['userinfo', 'oauth/token', 'protocol/openid-connect/token']) {
    for (const sending of [
      portal.http.get(`/oidc/acme/${path}`),
      portal.http.post(`/oidc/acme/${path}`).type('form'),
    ]) {
      const { status, body } = await sending;
      expect([status, body.error]).toEqual([404, 'invalid_request']);
      expect(body.error_description).toContain(`${portal.deps.publicUrl}/oidc/acme/.well-known/openid-configuration`);
    }
  }
  await portal.close();
});

test('limits token requests but not reads', async () => {
  const portal = await testPortal({ config: { rateLimit: 2 } });
  const post = () => portal.http.post('/oidc/acme/token').type('form');
  expect([(await post()).status, (await post()).status, (await post()).status]).toEqual([401, 401, 429]);
  await portal.http.get('/oidc/acme/jwks').expect(200);
  await portal.close();
});

// covers: security 10.1.1, security 14.1.1, security 14.1.2, security 14.2.1, security 16.2.5
test('logs only the route of a URL, and no codes, tokens or secrets', async () => {
  const lines: string[] = [];
  const portal = await testPortal({ onLog: (line) => lines.push(line) });
  const form = { code: 'a-code-to-hide', client_id: 'team-wiki', client_secret: 'a-secret-to-hide' };
  await portal.http.post('/oidc/acme/token').type('form').send(form);
  await portal.http.get('/oidc/acme/auth?login_hint=hidden@acme.test');
  expect(lines.join('\n')).toContain('/oidc/:orgCode/*');
  expect(lines.join('\n')).not.toMatch(/to-hide|hidden@acme/);
  await portal.close();
});
