import {
  createApiResource,
  createGroup,
  createScimToken,
  createWebhook,
  inviteUsers,
  testWebhook,
} from '@orchestrate/shared';
import type { Page } from '@playwright/test';
import { paths } from '../src/paths.ts';
import { expect, test, WHOLE } from './fixtures/test.ts';

const ADMIN = 'super.admin@acme.test';

/** All administrator tables, by path. */
const TABLES = {
  [paths.applications]: ['Applications'],
  [`${paths.applications}?tab=groups`]: ['Groups'],
  [`${paths.applications}?tab=apis`]: ['APIs'],
  [paths.application('payroll')]: ['Client secrets'],
  [`${paths.application('payroll')}/history`]: ['Sign-ins'],
  [paths.idpConfiguration]: ['Signing keys', 'Signing certificates', 'SAML applications'],
  [paths.roleManagement]: ['Roles'],
  [paths.signIns]: ['Sign-ins'],
  [paths.userProvisioning]: ['Tokens'],
  [paths.webhooks]: ['Webhooks'],
  [`${paths.manageUsers}?by=firstName&q=daniel`]: ['Members'],
  [paths.invitations]: ['Open invitations'],
};

test(
  'does not scroll tables sideways on a narrow screen, and labels their values',
  WHOLE,
  async ({ openBrowser, portal, signIn }) => {
    test.setTimeout(120_000);
    const { token } = await portal.session({ email: ADMIN });
    const hook = { url: 'https://hooks.example.test/orchestrate/everything', events: ['member.created' as const] };
    const { webhook } = await portal.call(createWebhook, { body: hook }, { token });
    await portal.call(testWebhook, { params: { webhookId: webhook.id }, body: {} }, { token });
    await portal.call(createScimToken, { body: { name: 'Entra ID' } }, { token });
    await portal.call(createGroup, { body: { displayName: 'Night watch' } }, { token });
    await portal.call(createApiResource, { body: { identifier: 'urn:acme:orders:api', name: 'Orders' } }, { token });
    await portal.call(
      inviteUsers,
      { body: { orgEmails: ['new@acme.test'], type: 'mobile', addNew: true, sendEmail: true } },
      { token },
    );
    const page = await openBrowser({ viewport: { width: 390, height: 844 } });
    await signIn(ADMIN, { on: page });
    await page.evaluate(() => localStorage.setItem('orchestrate.member-view', 'table'));
    for (const [path, tables] of Object.entries({ ...TABLES, [paths.webhook(webhook.id)]: ['Deliveries'] })) {
      await page.goto(path);
      for (const name of tables) await expect(page.getByRole('table', { name, exact: true })).toBeVisible();
      for (const width of [390, 320]) {
        await page.setViewportSize({ width, height: 844 });
        expect.soft(await sideways(page), `tables of ${path} that scroll sideways at ${width} px`).toEqual([]);
        expect.soft(await beyond(page), `controls of ${path} that are cut off at ${width} px`).toEqual([]);
      }
    }
    await page.goto(paths.applications);
    const cell = page.getByRole('row', { name: /Team Wiki/ }).getByRole('cell');
    const shown = await cell.nth(1).evaluate((each) => [getComputedStyle(each, '::before').content, each.textContent]);
    expect(shown).toEqual(['"Type"', 'OIDC']);
  },
);

test(
  'does not scroll tables sideways next to the side menu, even in German',
  WHOLE,
  async ({ openBrowser, signIn }) => {
    const page = await openBrowser({ viewport: { width: 1_280, height: 800 }, locale: 'de-DE' });
    await signIn(ADMIN, { on: page });
    await page.evaluate(() => localStorage.setItem('orchestrate.member-view', 'table'));
    for (const path of [...Object.keys(TABLES), paths.loginHistory]) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.locator('.skeleton')).toHaveCount(0);
      for (const width of [1_280, 1_024]) {
        await page.setViewportSize({ width, height: 800 });
        expect.soft(await sideways(page), `tables of ${path} that scroll sideways at ${width} px`).toEqual([]);
      }
    }
  },
);

// covers: spec 2.2.17, spec 2.9.7
test('limits the application list to 550 px, except on a narrow screen', async ({ page, signIn }) => {
  await signIn('super.admin@acme.test');
  await page.goto(paths.applications);
  const area = page.getByRole('table', { name: 'Applications' }).locator('..');
  await expect(area).toHaveCSS('max-height', '550px');
  await expect(area).toHaveCSS('overflow-y', 'auto');
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(area).toHaveCSS('max-height', 'none');
  expect(await area.evaluate((list) => list.scrollHeight - list.clientHeight)).toBeLessThanOrEqual(1);
});

/** Returns the names of tables that are wider than their container. */
const sideways = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('table')]
      .filter(({ parentElement }) => parentElement && parentElement.scrollWidth > parentElement.clientWidth)
      .map((table) => table.getAttribute('aria-label')),
  );

/** Returns controls that extend past the edge of the page. */
const beyond = (page: Page) =>
  page.locator('main :is(a, button, select)').evaluateAll((controls) =>
    controls
      .filter((control) => control.checkVisibility())
      .filter((control) => control.getBoundingClientRect().right > window.innerWidth)
      .map((control) => control.textContent),
  );
