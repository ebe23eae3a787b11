import type { Portal } from '@orchestrate/server/double';
import { createApp, deleteClientSecret, login, loginState } from '@orchestrate/shared';
import { type Authenticator, createPortalCall } from '@orchestrate/shared/authenticator';
import { type BrowserClient, startBrowserClient } from './fixtures/browser-client.ts';
import { seededDevice } from './fixtures/seeded-device.ts';
import { approveShown } from './fixtures/sign-in.ts';
import { expect, test } from './fixtures/test.ts';

/** A public client, without a secret, as applications in browsers need it. */
async function createPublicClient(
  portal: Portal,
  authenticator: Authenticator,
  { callback, goodbye }: BrowserClient,
): Promise<string> {
  const admin = await seededDevice(portal, 'super.admin@acme.test');
  const call = createPortalCall({ baseUrl: portal.url });
  const { loginId = '', qid = '' } = await call(login, { body: { orgCode: 'acme', mode: 'QID' } });
  const { challenge } = await authenticator.resolve(admin, qid);
  await authenticator.respond(admin, { challengeId: challenge.challengeId, decision: 'approve' });
  const { exchangeToken = '' } = await call(loginState, { params: { loginId } });
  const { token } = await call(login, { body: { loginId, exchangeToken } });
  const asAdmin = createPortalCall({ baseUrl: portal.url, headers: { authorization: `Bearer ${token}` } });
  const clients = { redirect_uris: [callback], post_logout_redirect_uris: [goodbye] };
  const { app } = await asAdmin(createApp, {
    params: { orgCode: 'acme' },
    body: { orgCode: 'acme', integrationType: 'oidc', name: 'Time sheet', oidcConfiguration: { clients } },
  });
  const { appId, oidcConfiguration } = app;
  for (const { secretId } of oidcConfiguration?.clientSecrets ?? []) {
    await asAdmin(deleteClientSecret, { params: { orgCode: 'acme', appId, secretId } });
  }
  return appId;
}

test('a browser-only client signs somebody in, renews and signs out', async ({ page, portal, authenticator }) => {
  const client = await startBrowserClient();
  client.configure(`${portal.url}/oidc/acme`, await createPublicClient(portal, authenticator, client));
  const told = page.getByRole('status');

  await page.goto(client.origin);
  await page.getByRole('button', { name: 'Sign me in' }).click();
  await expect(page.getByText('Time sheet').first()).toBeVisible();
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await approveShown(page, authenticator, await seededDevice(portal, 'user@acme.test'));
  await expect(told).toHaveText(/ <user@acme\.test>$/);
  await expect(page).toHaveURL((url) => url.href.startsWith(client.callback));

  await page.getByRole('button', { name: 'Renew' }).click();
  await expect(told).toHaveText('Renewed');

  await page.getByRole('button', { name: 'Sign me out' }).click();
  await expect(page).toHaveURL(client.goodbye);
  await client.stop();
});
