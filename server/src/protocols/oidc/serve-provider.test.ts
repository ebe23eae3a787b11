import { expect, test } from 'vitest';
import { testPortal } from '../../testing.ts';
import { withConsent } from './serve-provider.ts';

test('offline access counts without being asked for consent', () => {
  expect(withConsent('/auth?scope=openid+offline_access')).toBe('/auth?scope=openid+offline_access&prompt=consent');
  expect(withConsent('/auth?scope=offline_access&prompt=login')).toContain('prompt=login+consent');
});

test.each([
  '/auth?scope=openid',
  '/auth?scope=offline_access&prompt=none',
  '/auth?scope=offline_access&prompt=consent',
  '/auth?scope=offline_access&prompt=login&prompt=none',
  '/token?scope=offline_access',
  '/auth',
])('%s stays as it is', (url) => {
  expect(withConsent(url)).toBe(url);
});

test('too many requests for tokens are refused, reading is not', async () => {
  const portal = await testPortal({ config: { rateLimit: 2 } });
  const post = () => fetch(`${portal.url}/oidc/acme/token`, { method: 'POST', body: new URLSearchParams() });
  expect([(await post()).status, (await post()).status, (await post()).status]).toEqual([400, 400, 429]);
  expect((await fetch(`${portal.url}/oidc/acme/jwks`)).status).toBe(200);
  await portal.close();
});

test('neither codes nor tokens nor secrets are written to the log, and addresses only as routes', async () => {
  const lines: string[] = [];
  const portal = await testPortal({ onLog: (line) => lines.push(line) });
  const body = new URLSearchParams({
    code: 'a-code-to-hide',
    client_id: 'team-wiki',
    client_secret: 'a-secret-to-hide',
  });
  await fetch(`${portal.url}/oidc/acme/token`, { method: 'POST', body });
  await fetch(`${portal.url}/oidc/acme/auth?login_hint=hidden@acme.test`);
  expect(lines.join('\n')).toContain('/oidc/:orgCode/*');
  expect(lines.join('\n')).not.toMatch(/to-hide|hidden@acme/);
  await portal.close();
});
