import type { Portal } from '@orchestrate/server/testing-api';
import { createWebhook, listReportees } from '@orchestrate/shared';
import type { Locator, Page } from '@playwright/test';
import { encodeMemberSegment } from '../src/lib/address/member-address.ts';
import { paths } from '../src/paths.ts';
import { violationsOf } from './fixtures/accessible.ts';
import { sampleIfBrief } from './fixtures/data.ts';
import { expect, PHONE, test, WHOLE } from './fixtures/test.ts';

type Paths = typeof paths;
type Parts = { [Name in keyof Paths as Paths[Name] extends string ? never : Name]: string };

const ADMIN = 'super.admin@acme.test';

/** Values for the path parameters. A missing parameter is a type error. */
const partsOf = ({ member, report, webhook }: Real): Parts => ({
  member: paths.member(member),
  directReport: paths.directReport(report),
  application: paths.application('payroll'),
  applicationTry: paths.applicationTry('payroll', 'none'),
  webhook: paths.webhook(webhook),
  faq: paths.faq('acme'),
  signUp: paths.signUp('acme'),
  signIn: paths.signIn('globex'),
});

/** IDs of existing records, whose pages therefore exist. */
interface Real {
  member: string;
  report: string;
  webhook: string;
}

async function realOnes(portal: Portal): Promise<Real> {
  const { token } = await portal.session({ email: ADMIN });
  const { people } = await portal.people({ email: 'user@acme.test' });
  const { reportee } = await portal.call(listReportees, { query: {} }, { token });
  const segmentOf = (person?: { suid: string; fullName: string }) => {
    if (!person) throw new Error('Expected somebody.');
    return encodeMemberSegment({ primaryAttr: '', suid: person.suid, fullName: person.fullName });
  };
  const body = { url: 'https://hooks.example.test/orchestrate' };
  return {
    member: segmentOf(people[0]),
    report: segmentOf(reportee.map(({ suid, firstName: fullName }) => ({ suid, fullName }))[0]),
    webhook: (await portal.call(createWebhook, { body }, { token })).webhook.id,
  };
}

/** All of the client's paths, plus the public paths that the client never links to. */
const routesOf = (real: Real) => [
  ...Object.values(paths).filter((path) => typeof path === 'string'),
  ...Object.values(partsOf(real)),
  paths.invitations,
  `${paths.application('payroll')}/access`,
  '/setup',
  '/demo',
  '/static/link-invalid',
  '/acme/no/such/page',
];

const SCREENS = {
  '1440': { viewport: { width: 1_440, height: 900 } },
  '1280': { viewport: { width: 1_280, height: 720 } },
  '720, as with a zoom of 200 %': { viewport: { width: 720, height: 450 } },
  '320': { viewport: { width: 320, height: 640 } },
  'a phone': PHONE,
} as const;

const COLOURS = [
  { colorScheme: 'light', forcedColors: 'none' },
  { colorScheme: 'dark', forcedColors: 'none' },
  { colorScheme: 'dark', forcedColors: 'active' },
  { colorScheme: 'light', forcedColors: 'active' },
] as const;
type Colours = (typeof COLOURS)[number];

/**
 * `EVERY_VARIANT=1` tests each route on each screen size in all colour modes. Otherwise, each route is tested with
 * only some of the variants.
 */
const isEvery = process.env.EVERY_VARIANT !== undefined;

/** Screen sizes skipped in a brief run, which tests only the widest, the narrowest and a phone. */
const isBetween = (screen: string) => screen.startsWith('1280') || screen.startsWith('720');

for (const [at, [screen, options]] of Object.entries(SCREENS).entries()) {
  const how = isBetween(screen) ? WHOLE : {};
  test(`every route is accessible on ${screen}`, how, async ({ openBrowser, portal, signIn, complaints }) => {
    test.setTimeout(isEvery ? 1_800_000 : 300_000);
    complaints.expect(/status of 40\d/);
    const page = await openBrowser(options);
    await signIn(ADMIN, { on: page });
    const routes = [...routesOf(await realOnes(portal)).entries()];
    const here = isEvery ? routes : routes.filter(([route]) => route % Object.keys(SCREENS).length === at);
    for (const [route, path] of sampleIfBrief(here, 4)) {
      const colours = isEvery ? COLOURS : [COLOURS[Math.floor(route / 5) % COLOURS.length] ?? COLOURS[0]];
      await page.goto(path);
      for (const colour of colours) await expectAccessibleRoute(page, path, colour);
    }
  });
}

test('every screen is 1040 px wide or fills its room, and fills a room that is hardly wider', async ({
  openBrowser,
  portal,
  signIn,
  complaints,
}) => {
  test.setTimeout(300_000);
  complaints.expect(/status of 40\d/);
  const page = await openBrowser({ viewport: { width: 1_920, height: 900 } });
  await signIn(ADMIN, { on: page });
  for (const path of sampleIfBrief(routesOf(await realOnes(portal)), 8)) {
    await page.goto(path);
    await expect(page.locator('h1'), `headings of ${path}`).toHaveCount(1);
    await expect(page.getByRole('status', { name: 'Loading', exact: true })).toHaveCount(0);
    // Only the private area's screens are in the shell.
    const shell = page.locator('main#content');
    if ((await shell.count()) === 0) continue;
    const { width, room } = await widthsOf(shell);
    expect.soft([1_040, room], `width of ${path}`).toContain(width);
    await page.setViewportSize({ width: 1_440, height: 900 });
    const common = await widthsOf(shell);
    expect.soft(common.width, `width of ${path} in a common window`).toBe(common.room);
    await page.setViewportSize({ width: 1_920, height: 900 });
  }
});

/** Returns the width of a screen and of the room that the frame gives it. */
const widthsOf = (shell: Locator): Promise<{ width: number; room: number }> =>
  shell.evaluate((main) => {
    const { paddingLeft, paddingRight } = getComputedStyle(main);
    const room = main.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    // Finds the outermost element with a box, because wrappers for routes and hints have none.
    let width = 0;
    for (let box = main.querySelector('h1')?.parentElement; box && box !== main; box = box.parentElement)
      width = box.getBoundingClientRect().width || width;
    return { width, room };
  });

/** Expects one `main`, one `h1`, no horizontal scrolling and no axe violations. */
async function expectAccessibleRoute(page: Page, path: string, colours: Colours): Promise<void> {
  const state = `${path}, ${colours.colorScheme}${colours.forcedColors === 'active' ? ' and forced' : ''}`;
  await page.emulateMedia(colours);
  await expect(page.locator('h1'), `headings of ${state}`).toHaveCount(1);
  await expect(page.locator('main'), `main of ${state}`).toHaveCount(1);
  await expect(page.locator('[role=status][aria-label], [aria-busy=true]').filter({ visible: true })).toHaveCount(0);
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect.soft(beyond, `px that ${state} scrolls sideways`).toBeLessThanOrEqual(0);
  // axe measures the style sheet's colours, which forced colours replace, so check the contrast only without forced
  // colours.
  const rules = { 'color-contrast': { enabled: colours.forcedColors === 'none' } };
  expect.soft(await violationsOf(page, { resultTypes: ['violations'], rules }), state).toEqual([]);
}
