import { paths } from '../src/paths.ts';
import { expect, test, WHOLE } from './fixtures/test.ts';

/** Pages that display skeletons while they load. */
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

test('does not scroll any page sideways while it loads on a small phone', WHOLE, async ({ openBrowser, signIn }) => {
  const page = await openBrowser({ viewport: { width: 320, height: 640 } });
  await signIn('super.admin@acme.test', { on: page });
  // Never respond, to keep the pages in their loading state.
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

test('replaces skeletons with content without moving anything', WHOLE, async ({ page, signIn }) => {
  await signIn('super.admin@acme.test');
  const first = page.getByRole('main').locator('section').first();
  for (const path of [paths.applications, paths.ownFaq, paths.idpConfiguration]) {
    const looked = Promise.withResolvers<void>();
    await page.route(/\/api\/(orgs?\/|.*faq)/, async (route) => {
      await looked.promise;
      await route.continue();
    });
    await page.goto(path);
    await expect(first.locator('.skeleton').first(), `what ${path} shows meanwhile`).toBeVisible();
    const skeleton = await first.boundingBox();
    looked.resolve();
    await expect(first.locator('.skeleton')).toHaveCount(0);
    const read = await first.boundingBox();
    expect.soft(read?.y, `where ${path} begins`).toBe(skeleton?.y);
    await page.unrouteAll();
  }
});
