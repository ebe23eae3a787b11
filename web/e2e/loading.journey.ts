import { paths } from '../src/paths.ts';
import { expect, test } from './fixtures/test.ts';

/** Pages that show the shape of what they read until it is there. */
const READING = [
  paths.ownFaq,
  paths.applications,
  paths.branding,
  paths.orgLevelLoginOptions,
  paths.appLevelLoginOptions,
  paths.idpConfiguration,
  paths.userProvisioning,
  paths.roleManagement,
  paths.security,
  paths.manageFaq,
  paths.activity,
  paths.signIns,
  paths.mails,
  paths.webhooks,
];

test('on a small phone no page scrolls sideways while it loads', async ({ openBrowser, signIn }) => {
  const page = await openBrowser({ viewport: { width: 320, height: 640 } });
  await signIn('super.admin@acme.test', { on: page });
  // Never answered: the pages are looked at while they wait.
  await page.route(/\/api\/(orgs?\/|scim\/|.*faq)/, () => undefined);
  for (const path of READING) {
    await page.goto(path);
    await expect(page.locator('.skeleton').first(), `what ${path} shows meanwhile`).toBeVisible();
    const beyond = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect.soft(beyond, `px that ${path} scrolls sideways`).toBeLessThanOrEqual(0);
  }
});
