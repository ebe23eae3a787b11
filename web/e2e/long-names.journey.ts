import { createApp, saveBranding } from '@orchestrate/shared';
import type { Locator, Page } from '@playwright/test';
import { paths } from '../src/paths.ts';
import { expect, PHONE, test, WHOLE } from './fixtures/test.ts';

const ADMIN = 'super.admin@acme.test';

/** Returns a long word that can't be broken across lines. */
const unbroken = (length: number) => 'W'.repeat(length);

/** Returns how far content, including text, extends past the right edge of the window, in pixels. */
const excess = (box: Locator) =>
  box.evaluate((element, width) => {
    const contents = document.createRange();
    contents.selectNodeContents(element);
    const right = Math.max(...[...contents.getClientRects()].map((each) => each.right));
    return Math.ceil(right - width);
  }, PHONE.viewport.width);

/** Returns how far the page scrolls sideways, in pixels. */
const sideways = (page: Page) =>
  page.evaluate((width) => document.documentElement.scrollWidth - width, PHONE.viewport.width);

test(
  'fits the delete dialog of an application with a long name on a phone',
  WHOLE,
  async ({ openBrowser, portal, signIn }) => {
    const { token } = await portal.session({ email: ADMIN });
    const { app } = await portal.call(
      createApp,
      { params: { orgCode: 'acme' }, body: { orgCode: 'acme', integrationType: 'ldap', name: unbroken(100) } },
      { token },
    );
    const page = await openBrowser({ viewport: PHONE.viewport });
    await signIn(ADMIN, { on: page });
    const question = page.getByRole('alertdialog');

    await page.goto(paths.application(app.appId));
    await page.getByRole('button', { name: 'Delete app' }).click();
    await expect(question).toContainText(unbroken(100));
    expect(await excess(question)).toBeLessThanOrEqual(0);
    expect(await sideways(page)).toBeLessThanOrEqual(0);
  },
);

test(
  'does not scroll sideways on a phone if the copyright notice has no spaces',
  WHOLE,
  async ({ openBrowser, portal }) => {
    const { token } = await portal.session({ email: ADMIN });
    const copyrightText = `©${unbroken(199)}`;
    const branding = { name: 'Acme', color: '#1F6FEB', title: 'Sign in', loginButtonName: 'Sign in', copyrightText };
    const body = new FormData();
    for (const [field, value] of Object.entries(branding)) body.set(field, value);
    await portal.call(saveBranding, { body }, { token });
    const page = await openBrowser(PHONE);
    await page.goto('/acme/sign-in');
    const shown = page.getByText(copyrightText).filter({ visible: true });
    await expect(shown).toHaveCount(1);
    expect(await excess(shown)).toBeLessThanOrEqual(0);
    expect(await sideways(page)).toBeLessThanOrEqual(0);
  },
);
