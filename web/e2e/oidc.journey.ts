import type { Portal } from '@orchestrate/server/testing-api';
import { createApp, login, loginState } from '@orchestrate/shared';
import { type Authenticator, createPortalCall } from '@orchestrate/shared/authenticator';
import type { Page } from '@playwright/test';
import { type BrowserClient, startBrowserClient } from './fixtures/browser-client.ts';
import { seededDevice } from './fixtures/data.ts';
import { approveShown } from './fixtures/sign-in.ts';
import { expect, test } from './fixtures/test.ts';

/** Creates a public client, which has no secret, for a browser application. */
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
  const clients = {
    kind: 'single-page' as const,
    redirect_uris: [callback],
    post_logout_redirect_uris: [goodbye],
  };
  const { app } = await asAdmin(createApp, {
    params: { orgCode: 'acme' },
    body: { orgCode: 'acme', integrationType: 'oidc', name: 'Time sheet', oidcConfiguration: { clients } },
  });
  return app.appId;
}

/** Submits a form from a page, as applications do for long requests. */
async function post(page: Page, action: string, fields: Record<string, string>): Promise<void> {
  await page.evaluate(
    ([to, values]) => {
      const form = Object.assign(document.createElement('form'), { method: 'post', action: to });
      for (const [name, value] of Object.entries(values)) {
        form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
      }
      document.body.append(form);
      form.submit();
    },
    [action, fields] as const,
  );
}

// covers: security 3.4.2
test('signs a user in, renews tokens and signs out with a browser-only client', async ({
  page,
  portal,
  authenticator,
}) => {
  const client = await startBrowserClient();
  const appId = await createPublicClient(portal, authenticator, client);
  client.configure(`${portal.url}/oidc/acme`, appId);
  const status = page.getByRole('status');

  await page.goto(client.origin);
  await page.getByRole('button', { name: 'Sign me in' }).click();
  await expect(page.getByText('Time sheet').first()).toBeVisible();
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await approveShown(page, authenticator, await seededDevice(portal, 'user@acme.test'));
  await expect(status).toHaveText(/ <user@acme\.test>$/);
  await expect(page).toHaveURL((url) => url.href.startsWith(client.callback));

  await page.getByRole('button', { name: 'Renew' }).click();
  await expect(status).toHaveText('Renewed');

  // Posts the form from another site (127.0.0.1), which must still use the browser's session.
  await page.goto(client.origin.replace('localhost', '127.0.0.1'));
  await post(page, `${portal.url}/oidc/acme/auth`, {
    client_id: appId,
    response_type: 'code',
    redirect_uri: client.callback,
    scope: 'openid',
    prompt: 'none',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  });
  await expect(page).toHaveURL(/\/callback\?code=/);

  await page.goto(client.origin);
  await page.getByRole('button', { name: 'Sign me out' }).click();
  await expect(page).toHaveURL(client.goodbye);
  await client.stop();
});
