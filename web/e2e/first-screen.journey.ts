import type { Page } from '@playwright/test';
import { paths } from '../src/paths.ts';
import { loadPage, type PageLoad, watchLoads } from './fixtures/page-load.ts';
import { expect, test } from './fixtures/test.ts';

const addressesOf = ({ requests }: PageLoad) => requests.map(({ address }) => address);

/** Data requested more than once, or earlier than the client needs it but never used. */
const repeated = (load: PageLoad) => {
  const data = addressesOf(load).filter((address) => address.startsWith('/api/'));
  return data.filter((address, at) => data.indexOf(address) !== at);
};

const boxOf = (page: Page, name: string) => page.locator(name).first().boundingBox();

test('loads the sign-in page in few requests, and displays its title before its code', async ({ page }) => {
  const session = await watchLoads(page);
  const isReleased = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await isReleased.promise;
    await route.continue();
  });
  await page.goto('/acme/sign-in', { waitUntil: 'commit' });
  await expect(page.getByText('Sign in to Acme')).toBeVisible();
  const before = { title: await boxOf(page, 'h1'), button: await boxOf(page, '.l-button') };
  await loadPage(page, session, () => {
    isReleased.resolve();
    return expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  });
  expect({ title: await boxOf(page, 'h1'), button: await boxOf(page, 'main button') }).toEqual(before);
  await page.unrouteAll();

  const warm = await loadPage(page, session, () => page.reload());
  expect(addressesOf(warm)).toEqual(['/acme/sign-in']);
  await session.send('Network.clearBrowserCache');
  const cold = await loadPage(page, session, () => page.reload());
  expect(cold.requests.length, addressesOf(cold).join('\n')).toBeLessThanOrEqual(7);
  expect(cold.waves).toBeLessThanOrEqual(3);
  expect(cold.shift).toBeLessThanOrEqual(0.01);
});

test('loads the dashboard in two waves, and other screens in one before their data', async ({ page, signIn }) => {
  await signIn('super.admin@acme.test');
  const session = await watchLoads(page);
  await session.send('Network.clearBrowserCache');
  const cold = await loadPage(page, session, () => page.reload());
  // The names on the dashboard decide which further parts of the font are needed.
  const counted = addressesOf(cold).filter((address) => !/\/inter-(?!latin-wght)/.test(address));
  expect(counted.length, counted.join('\n')).toBeLessThanOrEqual(14);
  // The font is the third wave.
  expect(cold.waves, JSON.stringify(cold.requests, undefined, 1)).toBeLessThanOrEqual(3);
  expect(repeated(cold)).toEqual([]);
  const unused = await page.evaluate(() => [...(window.earlyReads?.keys() ?? [])]);
  expect(unused, 'early reads (web/screen-files.ts) that the screen does not read').toEqual([]);
  expect(addressesOf(cold).filter((address) => address.endsWith('.js')).length).toBeLessThanOrEqual(5);

  const link = page.getByRole('link', { name: 'Applications', exact: true });
  const next = await loadPage(page, session, () => link.click());
  expect(page.url()).toContain(paths.applications);
  expect(next.waves, JSON.stringify(next.requests, undefined, 1)).toBeLessThanOrEqual(2);

  const warm = await loadPage(page, session, () => page.goto(paths.dashboard));
  expect(addressesOf(warm).filter((address) => address.includes('/assets/'))).toEqual([]);
  expect(repeated(warm)).toEqual([]);
  expect(warm.waves).toBeLessThanOrEqual(2);
});

test('sends hashed files without the headers of pages, and never another organisation’s colour', async ({ page }) => {
  await page.goto('/acme/sign-in');
  const brand = () => page.evaluate(() => document.documentElement.style.getPropertyValue('--brand'));
  const [src = ''] = await page
    .locator('script[type=module]')
    .evaluateAll((all) => all.map((each) => each.getAttribute('src') ?? ''));
  const headers = (await page.request.get(src)).headers();
  expect(Object.keys(headers)).not.toContain('content-security-policy');
  expect(headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  });
  const ofAcme = await brand();
  await page.route('**/assets/*.js', () => undefined);
  await page.goto('/globex/sign-in', { waitUntil: 'commit' });
  await expect(page.getByText('Sign in to Globex')).toBeVisible();
  expect(await brand()).not.toBe(ofAcme);
});
