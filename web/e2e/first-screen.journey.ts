import type { Page } from '@playwright/test';
import { paths } from '../src/paths.ts';
import {
  loadPage,
  moveBy,
  type PageLoad,
  saveData,
  waitForPreloads,
  watchLoads,
  wavesWithoutFonts,
} from './fixtures/page-load.ts';
import { expect, test, WHOLE } from './fixtures/test.ts';

declare global {
  interface Window {
    /** Number of frames in which the page displayed its first look before the client's code ran. */
    looksBefore?: number;
  }
}

const addressesOf = ({ requests }: PageLoad) => requests.map(({ address }) => address);

/** Data requested more than once, or earlier than the client needs it but never used. */
const repeated = (load: PageLoad) => {
  const data = addressesOf(load).filter((address) => address.startsWith('/api/'));
  return data.filter((address, at) => data.indexOf(address) !== at);
};

/**
 * Returns the addresses of data that was requested early for the present screen, but that it hasn't used
 * (`web/screen-files.ts`). When the menu scrolls, another screen's link can come under the pointer.
 */
const unusedReads = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { screens } = JSON.parse(document.getElementById('start')?.textContent ?? '{}');
    const screen = screens.find(({ path }: { path: string }) => path === window.location.pathname);
    const reads: { path: string }[] = screen?.reads ?? [];
    const own = reads.map(({ path }) => path.replace('{org}', 'acme').split('?')[0]);
    const unused = [...(window.earlyReads ?? [])].flatMap(([address, { answer }]) => (answer ? [address] : []));
    return unused.filter((address) => own.includes(address.split('?')[0] ?? ''));
  });

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
  expect(wavesWithoutFonts(cold), JSON.stringify(cold.requests, undefined, 1)).toBeLessThanOrEqual(3);
  expect(cold.shift).toBeLessThanOrEqual(0.01);
  // The largest text is in the page itself: the client displays none that is larger.
  const code = cold.requests.filter(({ address }) => address.endsWith('.js')).map(({ end }) => end);
  expect(cold.largestPaint).toBeLessThan(Math.max(...code));
});

test('paints the page’s first look before it runs code from the cache', async ({ page, signIn }) => {
  await page.addInitScript(() => {
    let looks = 0;
    const count = () => {
      if (document.querySelector('.l')) looks += 1;
      requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
    // The first thing that the client's code does is listen for this event.
    const listen = window.addEventListener;
    window.addEventListener = (...given: Parameters<Window['addEventListener']>) => {
      if (given[0] === 'popstate') window.looksBefore ??= looks;
      listen.apply(window, given);
    };
  });
  await signIn('super.admin@acme.test');
  for (const path of [paths.dashboard, paths.dashboard, '/globex/sign-in', '/globex/sign-in']) {
    await page.goto(path);
    await expect(page.locator('main h1')).toBeVisible();
    expect(await page.evaluate(() => window.looksBefore), path).toBeGreaterThan(0);
  }
});

test('loads the dashboard in two waves, and other screens with their data in one', async ({ page, signIn }) => {
  await signIn('super.admin@acme.test');
  await saveData(page);
  const session = await watchLoads(page);
  await session.send('Network.clearBrowserCache');
  const cold = await loadPage(page, session, () => page.reload());
  // The names on the dashboard decide which further parts of the font are needed.
  const counted = addressesOf(cold).filter((address) => !/\/inter-(?!latin-wght)/.test(address));
  expect(counted.length, counted.join('\n')).toBeLessThanOrEqual(14);
  expect(wavesWithoutFonts(cold), JSON.stringify(cold.requests, undefined, 1)).toBeLessThanOrEqual(2);
  expect(repeated(cold)).toEqual([]);
  await expect.poll(() => unusedReads(page)).toEqual([]);
  expect(addressesOf(cold).filter((address) => address.endsWith('.js')).length).toBeLessThanOrEqual(5);

  expect(cold.shift).toBeLessThanOrEqual(0.01);

  const next = await moveBy(page, session, page.getByRole('link', { name: 'Applications', exact: true }));
  expect(page.url()).toContain(paths.applications);
  // Messages, the screen's code in two files, forms, shared parts, and its data.
  expect(next.requests.length, addressesOf(next).join('\n')).toBeLessThanOrEqual(7);
  expect(wavesWithoutFonts(next), JSON.stringify(next.requests, undefined, 1)).toBe(1);
  await expect.poll(() => unusedReads(page)).toEqual([]);

  const warm = await loadPage(page, session, () => page.goto(paths.dashboard));
  expect(addressesOf(warm).filter((address) => address.includes('/assets/'))).toEqual([]);
  expect(repeated(warm)).toEqual([]);
  expect(warm.waves).toBeLessThanOrEqual(2);
});

test('only requests data when moving to a screen of the menu', WHOLE, async ({ page, signIn, complaints }) => {
  // Chromium reports the test's scripts in the frame of the email's preview, which is sandboxed.
  complaints.expect(/Blocked script execution in 'about:srcdoc'/);
  await signIn('super.admin@acme.test');
  const session = await watchLoads(page);
  await page.goto(paths.dashboard);
  const preloads = await waitForPreloads(page, session);
  expect(preloads).toBeLessThanOrEqual(32);
  for (const group of ['Org Settings', 'Manage Settings']) {
    const button = page.getByRole('button', { name: group });
    if ((await button.getAttribute('aria-expanded')) === 'false') await button.click();
  }
  const names = await page.getByRole('complementary', { name: 'Side menu' }).getByRole('link').allTextContents();
  expect(names.length).toBeGreaterThan(15);
  for (const name of names.filter((other) => other !== 'Dashboard')) {
    const move = await moveBy(page, session, page.getByRole('link', { name, exact: true }).first());
    const loaded = addressesOf(move).filter((address) => !/\.woff2$/.test(address));
    expect.soft(loaded.length, `${name}:\n${loaded.join('\n')}`).toBeLessThanOrEqual(4);
    expect
      .soft(
        loaded.filter((address) => address.startsWith('/assets/')),
        name,
      )
      .toEqual([]);
    expect.soft(move.shift, `layout shift of ${name}`).toBeLessThanOrEqual(0.01);
    // The preview of an email is the one part that depends on other data.
    expect.soft(wavesWithoutFonts(move), `waves of ${name}`).toBeLessThanOrEqual(name === 'Emails' ? 2 : 1);
    expect.soft(repeated(move), name).toEqual([]);
    expect.soft(await unusedReads(page), name).toEqual([]);
  }
});

test('requests a screen’s data when its link is pointed at, unless the user saves data', async ({ page, signIn }) => {
  await signIn('super.admin@acme.test');
  const session = await watchLoads(page);
  await page.reload();
  await waitForPreloads(page, session);
  const read: string[] = [];
  page.on('request', (request) => void read.push(new URL(request.url()).pathname));
  const link = page.getByRole('link', { name: 'Applications', exact: true });
  const reply = page.waitForResponse('**/api/orgs/acme/apps');
  await link.hover();
  await reply;
  await link.click();
  await expect(page.getByRole('heading', { name: 'Applications', level: 1 })).toBeVisible();
  await expect(page.locator('main :is(.skeleton, [aria-label=Loading])')).toHaveCount(0);
  expect(read.filter((path) => path === '/api/orgs/acme/apps')).toHaveLength(1);

  await saveData(page);
  await page.goto(paths.dashboard);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  read.length = 0;
  await loadPage(page, session, () => page.getByRole('link', { name: 'Activity', exact: true }).hover());
  expect(read).not.toContain('/api/org/activity');
});

test('shows one look before the content, and moves nothing', WHOLE, async ({ page, signIn }) => {
  await signIn('super.admin@acme.test');
  const session = await watchLoads(page);
  for (const path of [paths.dashboard, paths.manageUsers, paths.applications, paths.signIns]) {
    await session.send('Network.clearBrowserCache');
    const { shift } = await loadPage(page, session, () => page.goto(path));
    expect.soft(shift, `layout shift of ${path}`).toBeLessThanOrEqual(0.01);
  }
  const isReleased = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await isReleased.promise;
    await route.continue();
  });
  await page.goto(paths.dashboard, { waitUntil: 'commit' });
  const title = page.locator('h1');
  await expect(title).toHaveText(/^(Hello|Good \w+), Avery$/);
  const [text, box] = [await title.textContent(), await title.boundingBox()];
  isReleased.resolve();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(text ?? '');
  expect(await boxOf(page, 'main h1')).toMatchObject({ x: box?.x, y: box?.y, height: box?.height });
});

test('keeps the frame while a redirect loads another screen', async ({ page, signIn }) => {
  await signIn('super.admin@acme.test');
  const isReleased = Promise.withResolvers<void>();
  await page.route(/\/assets\/settings-/, async (route) => {
    await isReleased.promise;
    await route.continue();
  });
  await page.goto(paths.loginOptions, { waitUntil: 'commit' });
  await expect(page.getByRole('complementary', { name: 'Side menu' })).toBeVisible();
  await expect(page.getByRole('main').getByRole('status', { name: 'Loading' })).toBeVisible();
  isReleased.resolve();
  await expect(page.getByRole('heading', { level: 1, name: 'Login Options' })).toBeVisible();
  expect(page.url()).toContain(paths.orgLevelLoginOptions);
});

test('sends hashed files without the headers of pages, and never another organisation’s colour', async ({ page }) => {
  await page.goto('/acme/sign-in');
  const brand = () => page.evaluate(() => document.documentElement.style.getPropertyValue('--brand'));
  const [src = ''] = await page
    .locator('link[rel=modulepreload]')
    .evaluateAll((all) => all.map((each) => each.getAttribute('href') ?? ''));
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
