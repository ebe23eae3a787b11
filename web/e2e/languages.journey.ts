import { expect, test } from './fixtures/test.ts';

test('right to left, every page is mirrored and nothing runs out of it', async ({ page, signIn }) => {
  await signIn('super.admin@acme.test');
  await page.evaluate(() => localStorage.setItem('orchestrate.language', 'ar-XB'));
  for (const path of ['/dashboard', '/manage-users', '/applications', '/org-settings/security', '/lab']) {
    await page.goto(path);
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow, path).toBeLessThanOrEqual(0);
  }
});
