import { updateApp } from '@orchestrate/shared';
import { expect, PHONE, test } from './fixtures/test.ts';

test('opens an application from the portal in a new tab on a phone', async ({ portal, openBrowser, signIn }) => {
  const { token } = await portal.session({ email: 'super.admin@acme.test' });
  const body = { startUrl: `${portal.url}/acme/faq` };
  await portal.call(updateApp, { params: { orgCode: 'acme', appId: 'team-wiki' }, body }, { token });
  const page = await openBrowser(PHONE);
  await signIn('user@acme.test', { on: page });
  await page.getByRole('button', { name: 'Open menu' }).tap();
  await page.getByRole('link', { name: 'My Applications' }).click();
  await expect(page.getByRole('heading', { name: 'My Applications', level: 1 })).toBeVisible();
  const opened = page.waitForEvent('popup');
  await page.getByRole('link', { name: /^Team Wiki/ }).click();
  await expect(await opened).toHaveURL(`${portal.url}/acme/faq`);
  await expect(page).toHaveURL(/\/my-applications$/);
});
