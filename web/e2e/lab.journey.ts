import { readFile } from 'node:fs/promises';
import {
  addSocketFault,
  clearPolicies,
  denyRequest,
  emptyJournal,
  emptyOutbox,
  endSpace,
  health,
  login,
  loginState,
  makePerson,
  makeSession,
  makeSpace,
  setClock,
  setPolicy,
  signup,
  takeSnapshot,
} from '@orchestrate/shared';
import { createPortalCall } from '@orchestrate/shared/authenticator';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './fixtures/accessible.ts';
import { seededDevice } from './fixtures/data.ts';
import { slowResponses } from './fixtures/slow-responses.ts';
import { expect, PHONE, test, WHOLE } from './fixtures/test.ts';

// axe also tries to run in the email's iframe, where scripts are blocked.
const FRAMED = /Blocked script execution in 'about:srcdoc'/;

/** Resolves as soon as a string appears on the page. A locator would poll at longer intervals. */
function untilPageHas(page: Page, text: string): Promise<void> {
  return page.evaluate(
    (wanted) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (!document.body.textContent?.includes(wanted)) return;
          observer.disconnect();
          resolve();
        };
        const observer = new MutationObserver(look);
        observer.observe(document.body, { subtree: true, childList: true, characterData: true });
        look();
      }),
    text,
  );
}

test(
  'shows a new email in the outbox automatically, and opens its link in a new tab',
  WHOLE,
  async ({ page, context, portal, openBrowser, signIn, complaints }) => {
    complaints.expect(FRAMED);
    await portal.emptyOutbox();
    await page.goto('/lab');
    await expect(page.getByText('No messages yet')).toBeVisible();
    await expectAccessible(page, 'empty');

    const admin = await openBrowser();
    await signIn('super.admin@acme.test', { on: admin });
    await admin.goto('/dashboard?modal=invite');
    await admin.getByRole('radio', { name: 'Mobile' }).check();
    await admin.getByRole('textbox', { name: /^Email addresses/ }).pressSequentially('mara.lindholm@acme.test ');
    await admin.getByRole('button', { name: 'Invite', exact: true }).click();

    const message = page.getByRole('article', { name: 'You are invited to Acme Corporation' });
    await expect(message).toContainText('mara.lindholm@acme.test');
    await expectAccessible(page, 'a mail');
    const opening = context.waitForEvent('page');
    await message.frameLocator('iframe').getByRole('link', { name: 'Activate your account' }).click();
    await expect((await opening).getByText("We've sent you an activation code by email")).toBeVisible();
    await page.bringToFront();
    await expect(page.getByRole('article', { name: /^Your activation code/ })).toBeVisible();
    await page.getByRole('tab', { name: 'Text' }).click();
    await expectAccessible(page, 'as text');
  },
);

test('sets the clock, adds a fault and resets the portal', WHOLE, async ({ page, portal, signIn, complaints }) => {
  complaints.expect(FRAMED);
  complaints.expect(/503/);
  await page.goto('/lab/clock');
  await page.getByRole('button', { name: '+ 1 day' }).click();
  await expect(page.getByText('Running ahead of the machine’s time.')).toBeVisible();
  await page.getByRole('link', { name: 'Faults' }).click();
  await page.getByRole('textbox', { name: 'Path' }).fill('/api/org/settings');
  await page.getByRole('combobox', { name: 'Method' }).selectOption('GET');
  await page.getByRole('spinbutton', { name: 'HTTP status' }).fill('503');
  await page.getByRole('button', { name: 'Add fault' }).click();
  await expect(page.getByText('503, once')).toBeVisible();
  await expectAccessible(page, 'a pending fault');
  await page.goto('/acme/sign-in');
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();

  await page.goto('/lab/clock');
  await page.getByRole('button', { name: 'Reset the portal' }).click();
  await expectAccessible(page, 'reset');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Reset the portal' }).click();
  await expect(page.getByText('Follows the machine’s time.')).toBeVisible();
  expect(await seededDevice(portal, 'user@acme.test')).toBeTruthy();
  await signIn('user@acme.test');
});

test(
  'shows one outbox pane at a time on a phone, and keeps all sections usable',
  WHOLE,
  async ({ openBrowser, complaints }) => {
    complaints.expect(FRAMED);
    const phone = await openBrowser(PHONE);
    await phone.goto('/lab');
    await phone.getByRole('list', { name: 'Messages' }).getByRole('button').first().click();
    await expect(phone.getByRole('article')).toBeVisible();
    await expect(phone.getByRole('list', { name: 'Messages' })).toBeHidden();
    await expectAccessible(phone, 'a message');
    await phone.goBack();
    await expect(phone.getByRole('list', { name: 'Messages' })).toBeVisible();
    await expectAccessible(phone, 'the list');
    const open = (name: string) => phone.getByRole('navigation', { name: 'Lab' }).getByRole('link', { name }).click();
    await open('Magic addresses');
    await expect(phone.getByText('expired@magic.test', { exact: true })).toBeVisible();
    await expectAccessible(phone, 'magic addresses');
    await open('Provisioning');
    await expectAccessible(phone, 'provisioning');
    await open('Journal');
    await phone.getByRole('button', { name: 'Verify the journal' }).click();
    await phone.getByRole('dialog').getByRole('button', { name: 'Check', exact: true }).click();
    // The results below the form scroll into view.
    await expect(phone.getByText('Not as expected', { exact: true })).toBeInViewport();
    await expectAccessible(phone, 'journal verification');
  },
);

test('fits the reconnecting notice next to the reset button on a phone', async ({ openBrowser }) => {
  const phone = await openBrowser(PHONE);
  await phone.routeWebSocket('**/ws/lab', (socket) => socket.close());
  await phone.goto('/lab/clock');
  const box = await phone.getByText('Reconnecting…').boundingBox();
  const reset = await phone.getByRole('button', { name: 'Reset the portal' }).boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(reset?.x ?? 0);
  const cut = await phone.getByText('Reconnecting…').evaluate((text) => text.scrollWidth - text.clientWidth);
  expect(cut).toBe(0);
});

test('fits the lab’s German header on the smallest phone', async ({ openBrowser }) => {
  const phone = await openBrowser({ ...PHONE, viewport: { width: 320, height: 640 }, locale: 'de-DE' });
  await phone.goto('/lab');
  await expect(phone.getByRole('button', { name: 'Portal zurücksetzen' })).toBeVisible();
  await expect(phone.getByText('Reset', { exact: true })).toHaveCount(0);
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

test('downloads the portal as a world, and resets it to that world', WHOLE, async ({ page, portal }) => {
  await page.goto('/lab/worlds');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download as YAML' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('world.yaml');
  await page.getByRole('combobox', { name: 'Start over with' }).selectOption('Your own world file');
  await page
    .getByLabel('World file')
    .locator('input')
    .setInputFiles({ name: 'world.yaml', mimeType: 'application/yaml', buffer: await readFile(await download.path()) });
  await page.getByRole('button', { name: 'Start over' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Start over' }).click();
  // The page and the portal each parse all users and 90 days of sign-ins, which takes a while on a busy machine.
  await expect(page.getByRole('alertdialog')).toBeHidden({ timeout: 60_000 });
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.getByRole('list', { name: 'Mistakes' })).toHaveCount(0);
  expect(await seededDevice(portal, 'user@acme.test')).toBeTruthy();
});

test(
  'acceptance 20: shows and controls a space’s state, updates within 500 ms, passes axe',
  WHOLE,
  async ({ page, portal, complaints }) => {
    complaints.expect(FRAMED);
    // A space can't start spaces, so this request fails.
    complaints.expect(/400.*\/api\/lab\/spaces/);
    // Checking all sections, most of them in both colour modes, takes minutes.
    test.setTimeout(360_000);
    const main = createPortalCall({ baseUrl: portal.url });
    const { url, spaceId } = await main(makeSpace, { body: { name: 'Inspected' } });
    const call = createPortalCall({ baseUrl: url });
    await page.clock.install();
    const section = async (name: string) => {
      await page.getByRole('navigation', { name: 'Lab' }).getByRole('link', { name }).click();
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    };
    /**
     * Stops the page's clock to prevent polling. A change can then appear only if the portal pushed it. The journal
     * step below measures how long that takes.
     */
    const shows = async (change: () => Promise<unknown>, seen: Locator) => {
      await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 10_000);
      await change();
      await expect(seen).toBeVisible();
      await page.clock.resume();
    };
    await test.step('outbox', async () => {
      await call(emptyOutbox, {});
      await page.goto(`${url}/lab`);
      await expect(page.getByText('No messages yet')).toBeVisible();
      const email = 'ada.lovelace@acme.test';
      await shows(
        () => call(signup, { body: { orgCode: 'acme', firstName: 'Ada', lastName: 'Lovelace', email } }),
        page.getByRole('list', { name: 'Messages' }).getByText(email),
      );
      await expectAccessible(page, 'outbox');
      await shows(() => call(emptyOutbox, {}), page.getByText('No messages yet'));
    });
    await test.step('pending challenges, by keyboard', async () => {
      await section('Requests');
      await expect(page.getByText('No pending requests')).toBeVisible();
      const begin = () => call(login, { body: { orgCode: 'acme', mode: 'QID' } });
      let loginId = '';
      await shows(async () => {
        loginId = (await begin()).loginId ?? '';
      }, page.getByText('Sign-in to the portal'));
      await expectAccessible(page, 'requests');
      await page.getByRole('textbox', { name: 'Answer as' }).focus();
      await page.keyboard.type('user@acme.test');
      await page.keyboard.press('Enter');
      await expect(page.getByText('No pending requests')).toBeVisible();
      expect((await call(loginState, { params: { loginId } })).state).toBe('success');
      await expect(page.locator('body')).not.toBeFocused();
      loginId = (await begin()).loginId ?? '';
      await shows(
        () => call(denyRequest, { params: { loginId }, body: { as: 'user@acme.test' } }),
        page.getByText('No pending requests'),
      );
    });
    await test.step('users and devices', async () => {
      await section('People');
      await page.getByRole('searchbox').fill('grace.hopper');
      await shows(
        () => call(makePerson, { body: { org: 'acme', email: 'grace.hopper@acme.test' } }),
        page.getByText('grace.hopper@acme.test').first(),
      );
      await expectAccessible(page, 'people');
    });
    await test.step('policies', async () => {
      await section('Policies');
      await shows(
        () => call(setPolicy, { body: { match: { org: 'acme' }, answer: 'deny' } }),
        page.getByText('For everyone in acme'),
      );
      await expectAccessible(page, 'policies');
      await shows(() => call(clearPolicies, { query: {} }), page.getByText('No policies yet'));
    });
    await test.step('clock', async () => {
      await section('Clock');
      await page.getByRole('button', { name: '+ 1 day' }).click();
      await expect(page.getByText('Running ahead of the machine’s time.')).toBeVisible();
      await shows(() => call(setClock, { body: { freezeAt: '2031-05-06T07:08:09Z' } }), page.getByText('Frozen.'));
      await expectAccessible(page, 'clock');
    });
    await test.step('worlds and spaces', async () => {
      await section('Worlds');
      await shows(
        () => call(takeSnapshot, { body: { name: 'Afterwards' } }),
        page.getByRole('button', { name: 'Restore Afterwards' }),
      );
      await expectAccessible(page, 'worlds');
      await section('Spaces');
      await expect(page.getByText('This portal is itself a space.')).toBeVisible();
      await expectAccessible(page, 'spaces');
    });
    await test.step('active faults', async () => {
      await section('Faults');
      const form = page.getByRole('form', { name: 'New fault' });
      await form.getByRole('textbox', { name: 'Path' }).fill('/api/health');
      await form.getByRole('combobox', { name: 'Effect' }).selectOption('Portal result');
      await form.getByRole('combobox', { name: 'Result' }).selectOption('EXPIRED');
      await form.getByRole('button', { name: 'Add fault' }).click();
      await expect(page.getByRole('list', { name: 'Pending faults' })).toContainText('EXPIRED, once');
      await shows(
        () => expect(call(health, {})).rejects.toMatchObject({ resultName: 'EXPIRED' }),
        page.getByRole('list', { name: 'Triggered faults' }).getByText('GET /api/health'),
      );
      await expectAccessible(page, 'faults');
      await section('Sockets');
      await shows(
        () => call(addSocketFault, { body: { channel: 'login', do: 'refuse' } }),
        page.getByText('Refuse the connection, once'),
      );
      await expectAccessible(page, 'sockets');
      await section('Magic addresses');
      await expect(page.getByText('expired@magic.test', { exact: true })).toBeVisible();
      await expectAccessible(page, 'magic addresses');
    });
    await test.step('journal', async () => {
      await section('Journal');
      await shows(() => call(health, {}), page.getByText('GET /api/health').first());
      // The journal leaves out the inspector's own requests.
      await expect(page.getByRole('list', { name: 'Journal' })).not.toContainText(/favicon|colour-mode|GET \/lab/);
      await page.getByText('GET /api/health').first().click();
      await expectAccessible(page, 'journal');
      await page.getByRole('button', { name: 'Verify the journal' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Check', exact: true }).click();
      await expect(page.getByRole('list', { name: 'Closest matches' })).toBeVisible();
      await expectAccessible(page, 'journal verification');
      await page.keyboard.press('Escape');
      await shows(() => call(emptyJournal, {}), page.getByText('No entries yet'));
      // With the page's timers stopped, only a push from the portal can reveal the change.
      await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 10_000);
      const seen = untilPageHas(page, 'GET /api/health');
      await call(health, {});
      await seen;
      await page.clock.resume();
    });
    await test.step('tokens', async () => {
      await section('Tokens');
      const { token } = await call(makeSession, { body: { email: 'user@acme.test' } });
      await page.getByRole('textbox', { name: 'Token or SAML response' }).fill(token);
      await page.getByRole('button', { name: 'Inspect' }).click();
      await expect(page.getByText('This portal access token is valid.')).toBeVisible();
      await expectAccessible(page, 'tokens');
      await section('Provisioning');
      await expectAccessible(page, 'provisioning');
    });
    await page.goto('about:blank');
    await main(endSpace, { params: { spaceId } });
  },
);

test('follows a busy journal despite slow responses, and loads only newer entries', WHOLE, async ({ page, portal }) => {
  const call = createPortalCall({ baseUrl: portal.url });
  const responses = slowResponses(page, '**/api/lab/journal?*');
  const requested: URL[] = [];
  page.on('request', (request) => requested.push(new URL(request.url())));
  await call(login, { body: { orgCode: 'acme', mode: 'QID' } });
  await page.goto('/lab/journal');
  await expect(page.getByRole('list', { name: 'Journal' })).toBeVisible();
  requested.length = 0;
  await responses.begin();
  await expect(async () => {
    await call(health, {});
    await expect(page.getByRole('list', { name: 'Journal' })).toContainText('GET /api/health', { timeout: 200 });
  }).toPass({ intervals: [50] });
  await responses.end();
  const journal = requested.filter(({ pathname }) => pathname === '/api/lab/journal');
  expect(journal.length).toBeGreaterThan(0);
  expect(journal.filter(({ searchParams }) => !searchParams.has('after'))).toEqual([]);
});
