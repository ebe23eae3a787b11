import { contract, type EndpointDefinition, login, loginLive } from '@orchestrate/shared';
import { expect, test, vi } from 'vitest';
import { handlesLeftBy } from '#testing/handles-left-by.ts';
import { withoutTimers } from '#testing/helpers.ts';
import type { Portal } from './portal.ts';
import { startPortal } from './start-portal.ts';

/** Uses every control. */
async function useAll(portal: Portal): Promise<void> {
  const { email } = await portal.person({ org: 'acme' });
  const begin = async () =>
    (await portal.call(login, { body: { orgCode: 'acme', mode: 'QID' } })).loginId ?? 'There was none.';
  await portal.approve(await begin(), { as: email });
  await portal.deny(await begin(), { as: email });
  await portal.application({ org: 'acme', name: 'Shop', oidc: { kind: 'machine' } });
  await portal.people();
  await portal.devices();
  await portal.session({ email });
  await portal.policy({ match: { email }, answer: 'ignore' });
  await portal.policies();
  await portal.clearPolicies();
  await portal.requests();
  await portal.fault({ match: { path: '/oidc/acme/token' }, answer: { status: 500 } });
  await portal.faults();
  await portal.clearFaults();
  await portal.magic();
  await portal.socketFault({ channel: 'login', do: 'cut' });
  await portal.socketFaults();
  await portal.clearSocketFaults();
  await portal.unused();
  await portal.webhookFault({ do: 'drop' });
  await portal.webhookFaults();
  await portal.clearWebhookFaults();
  await portal.outboxFault({ smtp: 550 });
  await portal.outboxFaults();
  await portal.clearOutboxFaults();
  await expect(portal.forge('unknown', { type: 'member.paused' })).rejects.toMatchObject({ status: 404 });
  await portal.settled();
  await portal.clock();
  await portal.clock({ advance: '1s' });
  await portal.outbox();
  await portal.emptyOutbox();
  await portal.journal();
  expect(await portal.waitFor({ kind: 'challenge', wait: 1 })).toHaveProperty('summary');
  await portal.emptyJournal();
  await portal.verify({ path: '/oidc/acme/token', count: 0 });
  expect(await portal.tokens({ client: 'team-wiki', as: email })).toHaveProperty('accessToken');
  const { token } = await portal.session({ email });
  expect(await portal.inspect({ token })).toMatchObject({ kind: 'access-token', isValid: true });
  const scim = { url: `${portal.url}/scim/v2/acme`, token: 'not one' };
  await portal.provision({ dialect: 'okta', ...scim });
  await portal.waitFor({ path: '/api/lab/sessions' });
  expect(await portal.tokens({ client: 'team-wiki', as: email })).toHaveProperty('accessToken');
  await portal.webhookFault({ do: 'drop' });
  await portal.webhookFaults();
  await portal.clearWebhookFaults();
  await expect(portal.forge('missing', { type: 'member.paused' })).rejects.toMatchObject({ status: 404 });
  await portal.outboxFault({ smtp: 451 });
  await portal.outboxFaults();
  await portal.clearOutboxFaults();
  await portal.settled();
  const snapshot = await portal.snapshot();
  expect(await portal.snapshots()).toMatchObject([{ snapshotId: snapshot.snapshotId }]);
  await snapshot.restore();
  await snapshot.drop();
  const space = await portal.space();
  expect(await portal.spaces()).toMatchObject([{ url: space.url }]);
  await space.close();
  await portal.world();
  expect(await portal.worldFile()).toContain('organisations:');
  expect(JSON.parse(await portal.worldSchema())).toHaveProperty('$schema');
  await portal.reset();
}

const isControl = (exported: unknown): exported is EndpointDefinition => {
  const { method, access }: Partial<EndpointDefinition> = Object(exported);
  return method !== undefined && access?.who === 'lab';
};

const isOf = ({ method, path }: EndpointDefinition, address: string): boolean =>
  new RegExp(`^${method} /api${path.replaceAll(/:\w+/g, '[^/]+')}$`).test(address);

test('acceptance 13: starts, resets and closes without waiting and has every HTTP control', async () => {
  await withoutTimers(async () => {
    await using portal = await startPortal({ port: 0, seed: 'demo' });
    await portal.reset();
  });

  const requested = new Set<string>();
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
    requested.add(`${init?.method ?? 'GET'} ${new URL(url).pathname}`);
    return fetch(url, init);
  });
  const left = await handlesLeftBy(async () => {
    const portal = await startPortal({ port: 0, seed: 'demo' });
    await useAll(portal);
    // Left open deliberately, because closing the portal must close them.
    const { loginId } = await portal.call(login, { body: { orgCode: 'acme', mode: 'QID' } });
    await portal.open(loginLive, { loginId });
    await portal.space();
    await portal.close();
  });
  expect(left).toEqual([]);

  const exported: unknown[] = Object.values(contract);
  const controls = exported.filter(isControl);
  expect(controls.length).toBeGreaterThan(30);
  const missing = controls.filter((entry) => ![...requested].some((one) => isOf(entry, one)));
  expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

test('calls endpoints without an input if nothing in it is required', async () => {
  await using portal = await startPortal();
  const { token } = await portal.session({ email: 'super.admin@acme.test' });
  const { status }: { status: 'ok' } = await portal.call(contract.service.health);
  expect(status).toBe('ok');
  expect(await portal.call(contract.settings.renewScimCredentials, {}, { token })).toHaveProperty('password');
  expect(await portal.call(contract.lab.takeSnapshot)).toHaveProperty('snapshotId');
  // @ts-expect-error Requires a body.
  await expect(portal.call(contract.session.login)).rejects.toMatchObject({ status: 400 });
  // @ts-expect-error Requires the body's fields.
  await expect(portal.call(contract.session.login, {})).rejects.toMatchObject({ status: 400 });
  // @ts-expect-error Requires parameters.
  await expect(portal.call(contract.session.loginState)).rejects.toThrow();
});
