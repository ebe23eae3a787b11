import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures/test.ts';

const USER = 'user@acme.test';
const CALLBACK = 'http://localhost:8080/oidc/callback';

const wikiAddress = (portalUrl: string): string =>
  `${portalUrl}/oidc/acme/auth?${new URLSearchParams({
    client_id: 'team-wiki',
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })}`;

/** Opens a page on another site that redirects immediately. */
async function visitPageThatLeadsTo(page: Page, address: string): Promise<void> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(
      `<!doctype html><link rel="icon" href="data:,"><script>location = ${JSON.stringify(address)}</script>`,
    );
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  await page.goto(`http://127.0.0.1:${Object(server.address()).port}/`, { waitUntil: 'commit' });
}

// covers: security T1
test("prevents another site from signing a visitor in to the attacker's request", async ({
  page,
  portal,
  signIn,
  openBrowser,
  complaints,
}) => {
  await signIn(USER);
  complaints.expect(/404|400/);
  const attacker = await openBrowser();
  await attacker.goto(wikiAddress(portal.url));
  await expect(attacker.getByText('to continue to Team Wiki')).toBeVisible();
  await visitPageThatLeadsTo(page, attacker.url());
  const main = page.getByRole('main');
  await expect(main.getByText('This sign-in has ended or was started in another browser.')).toBeVisible();
  const id = new URL(attacker.url()).searchParams.get('app');
  await attacker.goto(`/oidc/acme/continue?id=${id}`);
  await expect(attacker.getByText('started in another browser')).toBeVisible();
});

// covers: security T2
test('asks once before a sign-in to a new application that was started by another site', async ({
  page,
  portal,
  signIn,
  complaints,
}) => {
  // Nothing listens at the redirect URI; reaching it is enough.
  complaints.expect(/ERR_CONNECTION_REFUSED/);
  const arrivesAtWiki = (at: Page) => at.waitForRequest((request) => request.url().startsWith(`${CALLBACK}?code=`));
  await signIn(USER);
  await visitPageThatLeadsTo(page, wikiAddress(portal.url));
  await expect(page.getByText('to continue to Team Wiki')).toBeVisible();
  const confirmed = arrivesAtWiki(page);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await confirmed;
  const nextTab = await page.context().newPage();
  const unasked = arrivesAtWiki(nextTab);
  await visitPageThatLeadsTo(nextTab, wikiAddress(portal.url));
  await unasked;
});
