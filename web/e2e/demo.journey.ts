import { makePerson } from '@orchestrate/shared';
import { createPortalCall } from '@orchestrate/shared/authenticator';
import type { FrameLocator, Page } from '@playwright/test';
import { expectAccessible } from './fixtures/accessible.ts';
import { slowResponses } from './fixtures/slow-responses.ts';
import { expect, PHONE, test, WHOLE } from './fixtures/test.ts';

const ADDRESS = 'maya.okafor@harbour-sons.example';

const browserOf = (page: Page): FrameLocator => page.frameLocator('iframe[title="The browser"]');
const phoneOf = (page: Page): FrameLocator => page.frameLocator('iframe[title="The phone"]');
const showMe = (page: Page) => page.getByRole('button', { name: 'Show me' });
const step = (page: Page) => page.getByRole('list', { name: 'Steps' }).locator('[aria-current=step]');

async function startDemo(page: Page): Promise<void> {
  await page.goto('/demo');
  await page.getByRole('textbox', { name: 'Your organisation’s name' }).fill('Harbour & Sons');
  await page.getByRole('radio', { name: 'Teal' }).check();
  await page.getByRole('button', { name: 'Start the demo' }).click();
  await expect(page.getByRole('heading', { name: 'Harbour & Sons' })).toBeVisible();
  await expect(phoneOf(page).getByText(ADDRESS)).toBeVisible();
}

test('plays the first sign-in and a denied attempt with the visitor’s own name', WHOLE, async ({ page, portal }) => {
  await page.goto('/demo');
  await expectAccessible(page, 'opening');
  await startDemo(page);
  expect(new URL(page.url()).origin).not.toBe(portal.url);
  await expectAccessible(page, 'demo');

  await showMe(page).click();
  await expect(browserOf(page).getByRole('img', { name: 'QR code to sign in' })).toBeVisible();
  await expect(step(page)).toContainText('The phone scans the code');
  await showMe(page).click();
  await expect(step(page)).toContainText('Approve');
  // Approve the sign-in manually. The phone's dialog must stay open when the user clicks elsewhere in the demo.
  await page.getByRole('heading', { name: 'The first sign-in' }).click();
  await phoneOf(page).getByRole('button', { name: 'Approve' }).click();
  await expect(browserOf(page).getByRole('heading', { level: 1 })).toHaveText(/, Maya$/);
  await expect(page.getByRole('button', { name: 'Play again' })).toBeVisible();
  await expectAccessible(page, 'the end of a scene');

  // Shortcuts also work while a frame has focus.
  await browserOf(page).getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('4');
  await expect(page.getByRole('heading', { name: 'A denied attempt' })).toBeVisible();
  const name = browserOf(page).getByRole('textbox', { name: 'Email or employee ID' });
  // Text input doesn't trigger shortcuts.
  await name.pressSequentially('r2');
  await expect(name).toHaveValue('r2');
  await name.fill(ADDRESS);
  await browserOf(page).getByRole('button', { name: 'Send request' }).click();
  await phoneOf(page).getByRole('button', { name: 'Deny' }).click();
  await phoneOf(page).getByRole('button', { name: "It wasn't me" }).click();
  await expect(browserOf(page).getByText('The sign-in was rejected.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Play again' })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Live events' })).toContainText('Email warns about a denied attempt');

  await page.getByRole('heading', { name: 'A denied attempt' }).click();
  await page.keyboard.press('r');
  await expect(step(page)).toContainText('A stranger enters Maya’s email');
  await expect(browserOf(page).getByRole('textbox', { name: 'Email or employee ID' })).toHaveValue('');
});

test('steps through and replays a scene with keyboard shortcuts', WHOLE, async ({ page }) => {
  await startDemo(page);
  for (const next of ['The phone scans the code', 'Approve']) {
    await expect(showMe(page)).toBeEnabled();
    await page.keyboard.press('s');
    await expect(step(page)).toContainText(next);
  }
  await expect(showMe(page)).toBeEnabled();
  await page.keyboard.press('s');
  await expect(page.getByRole('button', { name: 'Play again' })).toBeVisible();
  // In a completed scene, the shortcut for the next step does nothing.
  await page.keyboard.press('s');
  await page.keyboard.press('r');
  await expect(step(page)).toContainText('The browser shows a code');
});

test('keeps focus on the button between steps and when the scene is replayed', async ({ page }) => {
  await startDemo(page);
  await page.keyboard.press('4');
  await expect(step(page)).toContainText('A stranger enters Maya’s email');
  await showMe(page).focus();
  await page.keyboard.press('Enter');
  await expect(step(page)).toContainText('Maya’s phone asks for approval');
  await expect(showMe(page)).toBeFocused();
  await page.keyboard.press('Enter');
  const again = page.getByRole('button', { name: 'Play again' });
  await expect(again).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(step(page)).toContainText('A stranger enters Maya’s email');
  await expect(showMe(page)).toBeFocused();
});

test('keeps the scene in the URL for reload, Back and Forward', async ({ page }) => {
  await startDemo(page);
  const scene = (name: string) => page.getByRole('region', { name });
  await expect(scene('The first sign-in')).toBeVisible();
  // Navigate inside the frames first: their history entries must disappear together with the frames.
  await showMe(page).click();
  await expect(step(page)).toContainText('The phone scans the code');
  await page.keyboard.press('4');
  await expect(scene('A denied attempt')).toBeVisible();
  await expect(step(page)).toContainText('A stranger enters Maya’s email');
  await page.getByRole('navigation', { name: 'Scenes' }).getByRole('button', { name: 'Lost phone' }).click();
  await expect(scene('A lost phone')).toBeVisible();
  await page.reload();
  await expect(scene('A lost phone')).toBeVisible();
  await page.goBack();
  await expect(scene('A denied attempt')).toBeVisible();
  await page.goBack();
  await expect(scene('The first sign-in')).toBeVisible();
  await page.goForward();
  await expect(scene('A denied attempt')).toBeVisible();
  await expect(step(page)).toContainText('A stranger enters Maya’s email');
});

const SCENES = ['2', '3', '5', '6'];

/** Clicks the demo's button until the scene has ended. */
async function showToEnd(page: Page, words: { showMe: string; steps: string; done: string; again: string }) {
  const next = page.getByRole('button', { name: words.showMe });
  const steps = page.getByRole('list', { name: words.steps }).getByRole('listitem');
  await expect(next).toBeVisible();
  for (let done = 0; done < (await steps.count()); done += 1) {
    const step = steps.nth(done);
    // Some steps happen automatically, without a click.
    await expect(next.or(step.getByText(words.done)).first()).toBeVisible();
    if (await next.isVisible()) await next.click();
    await expect(step).toContainText(words.done);
  }
  await expect(page.getByRole('button', { name: words.again })).toBeVisible();
}

test('plays all scenes to the end', WHOLE, async ({ page }) => {
  test.setTimeout(120_000);
  await startDemo(page);
  for (const scene of SCENES) {
    await page.keyboard.press(scene);
    await showToEnd(page, { showMe: 'Show me', steps: 'Steps', done: '(done)', again: 'Play again' });
  }
  await expect(browserOf(page).getByRole('heading', { name: 'Hello, Maya' })).toBeVisible();
});

test.describe('in a German browser', () => {
  test.use({ locale: 'de-DE' });

  test('plays all scenes to the end in German', WHOLE, async ({ page }) => {
    test.setTimeout(120_000);
    await page.goto('/demo');
    await page.getByRole('textbox', { name: 'Name Ihrer Organisation' }).fill('Hafen & Söhne');
    await page.getByRole('button', { name: 'Demo starten' }).click();
    await expect(page.getByRole('heading', { name: 'Hafen & Söhne' })).toBeVisible();
    for (const scene of ['1', ...SCENES]) {
      await page.keyboard.press(scene);
      await showToEnd(page, { showMe: 'Vorführen', steps: 'Schritte', done: '(erledigt)', again: 'Erneut abspielen' });
    }
  });
});

test('shows only one panel at a time on a phone', WHOLE, async ({ openBrowser }) => {
  const page = await openBrowser(PHONE);
  await page.goto('/demo');
  await page.getByRole('textbox', { name: 'Your organisation’s name' }).fill('Harbour & Sons');
  await page.getByRole('button', { name: 'Start the demo' }).click();
  await expect(browserOf(page).getByRole('button', { name: 'Sign in' })).toBeVisible();
  await expect(page.getByTitle('The phone')).toBeHidden();
  await page.getByRole('button', { name: 'Phone', exact: true }).click();
  await expect(phoneOf(page).getByText(ADDRESS)).toBeVisible();
  const cut = await phoneOf(page)
    .getByText(ADDRESS)
    .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  expect(cut, 'hidden px of the account’s email').toBe(0);
  await expect(page.getByTitle('The browser')).toBeHidden();
  await expectAccessible(page, 'demo on a phone');
  await test.step('makes the phone tall enough for a request', async () => {
    await page.getByRole('navigation', { name: 'Scenes' }).getByRole('button', { name: 'Caller' }).click();
    for (const title of ['Noor generates a code', 'The caller enters the code']) {
      await expect(step(page)).toContainText(title);
      await showMe(page).click();
    }
    await expect(step(page)).toContainText('The caller confirms');
    await page.getByRole('button', { name: 'Phone', exact: true }).click();
    const warning = phoneOf(page).getByText('Confirm only while you are on the phone with this person.');
    await expect(warning).toBeInViewport({ ratio: 1 });
  });
  await test.step('lays out the browser’s pages for the phone without scaling', async () => {
    for (const scene of ['First sign-in', 'Caller']) {
      await page.getByRole('navigation', { name: 'Scenes' }).getByRole('button', { name: scene }).click();
      await expect(showMe(page)).toBeVisible();
      await expect(async () => {
        if (await showMe(page).isVisible()) await showMe(page).click({ timeout: 500 });
        await expect(page.getByRole('button', { name: 'Play again' })).toBeVisible({ timeout: 2_000 });
      }).toPass();
      await page.getByRole('button', { name: 'Browser', exact: true }).click();
      const frame = await page.getByTitle('The browser').evaluate((shown) => ({
        drawn: shown.getBoundingClientRect().width,
        laidOut: shown.clientWidth,
      }));
      expect(frame.drawn).toBe(frame.laidOut);
    }
    await expect(browserOf(page).getByText('Caller confirmed')).toBeVisible();
    await expect(browserOf(page).getByRole('heading', { name: 'Henrik Dahl' })).toBeVisible();
  });
});

test('keeps the figures up to date when events happen in quick succession', WHOLE, async ({ page }) => {
  const responses = slowResponses(page, '**/api/lab/world');
  await startDemo(page);
  const today = page.getByRole('region', { name: 'Today' });
  await expect(today).toContainText(/\d new phones?/);
  await responses.begin();
  const call = createPortalCall({ baseUrl: new URL(page.url()).origin });
  await expect(async () => {
    await call(makePerson, { body: { org: 'harbour-sons' } });
    await expect(today).toContainText(/([3-9]|\d\d) new phones/, { timeout: 200 });
  }).toPass({ intervals: [50] });
  await responses.end();
});
