import { toGerman } from '@orchestrate/server/words';
import { contract, loginLive } from '@orchestrate/shared';
import type { Locator, Page } from '@playwright/test';
import { sampleIfBrief } from './fixtures/data.ts';
import { expect, test, WHOLE } from './fixtures/test.ts';

/** Pages from every section of the portal. */
const PAGES = [
  '/dashboard',
  '/dashboard/login-history',
  '/my-applications',
  '/faq',
  '/authenticate-caller',
  '/manage-users',
  '/manage-users/invitations',
  '/manage-users?modal=add-user',
  '/manage-users?modal=invite',
  '/direct-reports',
  '/applications',
  '/applications/saml/create',
  '/org-settings/oidc-portal-auth',
  '/org-settings/branding',
  '/org-settings/login-options/app-level',
  '/org-settings/login-options/org-level',
  '/org-settings/idp-configuration',
  '/org-settings/user-provisioning',
  '/org-settings/role-management',
  '/org-settings/security',
  '/org-settings/manage-faq',
  '/org-settings/activity',
  '/org-settings/sign-ins',
  '/org-settings/mails',
  '/org-settings/configuration-file',
  '/org-settings/webhooks',
  '/lab',
  '/lab/people',
  '/lab/phones',
  '/lab/journal',
  '/lab/outbox',
  '/lab/clock',
  '/lab/faults',
  '/lab/sockets',
  '/lab/requests',
  '/lab/worlds',
  '/lab/provisioning',
  '/lab/spaces',
  '/lab/tokens',
  '/lab/magic',
  '/authenticator',
];

/** Opens a page, and waits until it has loaded. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { includeHidden: true }).first()).toBeAttached();
  await expect(page.locator('[role=status][aria-label], [aria-busy=true]').filter({ visible: true })).toHaveCount(0);
}

/** Returns how far the page overflows a window of this width, in pixels. */
async function overflowAt(page: Page, width: number): Promise<number> {
  await page.setViewportSize({ width, height: 800 });
  return page.evaluate(async () => {
    const overflow = () => document.documentElement.scrollWidth - window.innerWidth;
    // Layouts that depend on the width settle after a few frames, or many on a busy machine.
    for (let frame = 0; frame < 2 || (overflow() > 0 && frame < 60); frame += 1)
      await new Promise(requestAnimationFrame);
    return overflow();
  });
}

test('does not overflow right-to-left pages at any width', WHOLE, async ({ page, signIn }) => {
  await signIn('super.admin@acme.test');
  await page.evaluate(() => localStorage.setItem('orchestrate.language', 'ar-XB'));
  for (const path of sampleIfBrief(PAGES, 4)) {
    await open(page, path);
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
    for (const width of [1_280, 320])
      expect.soft(await overflowAt(page, width), `${path} at ${width} px`).toBeLessThanOrEqual(0);
  }
});

test(
  'keeps the direction of codes and addresses on right-to-left pages, and mirrors the menu',
  WHOLE,
  async ({ page, signIn }) => {
    await signIn('super.admin@acme.test');
    await page.evaluate(() => localStorage.setItem('orchestrate.language', 'ar-XB'));
    await page.goto('/authenticate-caller');
    await page.getByRole('main').getByRole('button').first().click();
    const letters = page.getByRole('main').locator('code');
    await expect(letters).toHaveCount(8);
    const [first, second] = [await letters.nth(0).boundingBox(), await letters.nth(1).boundingBox()];
    expect(first?.x).toBeLessThan(second?.x ?? 0);
    await page.goto('/org-settings/idp-configuration');
    const address = page.locator('code').first();
    await expect(address).toHaveCSS('direction', 'ltr');
    await expect(address).toHaveCSS('unicode-bidi', 'isolate');
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto('/dashboard');
    await page.getByRole('banner').getByRole('button').first().click();
    const menu = page.getByRole('dialog');
    await expect(menu).toHaveCSS('animation-name', 'from-right');
    await expect.poll(async () => (await menu.boundingBox())?.x).toBe(390 - 288);
  },
);

test.describe('in a German browser', () => {
  test.use({ locale: 'de-DE' });

  test('shows the sign-in page in German, loads only German messages, and offers English', async ({
    page,
    complaints,
  }) => {
    complaints.expect(/status of 400 .*\/api\/user\/login/);
    const catalogues: string[] = [];
    page.on('request', (request) => {
      const [, tag] = /\/(en|de)-[\w-]+\.js$/.exec(request.url()) ?? [];
      if (tag) catalogues.push(tag);
    });
    await page.goto('/acme');
    await expect(page.locator('html')).toHaveAttribute('lang', 'de');
    await expect(page.getByRole('heading', { level: 1, name: 'Bei Acme anmelden' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Anmelden', exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Brauchen Sie Hilfe?' })).toBeVisible();
    expect(new Set(catalogues)).toEqual(new Set(['de']));
    await page.goto('/acme/sign-up');
    await page.getByRole('button', { name: 'Beitreten' }).click();
    await expect(page.getByText('Dieses Feld ist erforderlich').first()).toBeVisible();
    await page.goto('/acme/sign-in?with=device');
    await page.getByRole('textbox', { name: /^E-Mail oder/ }).fill('nobody@acme.test');
    await page.getByRole('button', { name: 'Anfrage senden' }).click();
    await expect(page.getByText('Für diese Person ist kein Gerät registriert.')).toBeVisible();
    await page.getByRole('button', { name: 'English' }).click();
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    await expect(page.getByRole('button', { name: 'Need help?' })).toBeVisible();
  });
});

test('formats numbers and quotation marks in German, and fits a small phone', WHOLE, async ({ page, signIn }) => {
  await signIn('super.admin@acme.test');
  await page.evaluate(() => localStorage.setItem('orchestrate.language', 'de'));
  await page.setViewportSize({ width: 1_280, height: 720 });
  await page.goto('/org-settings/branding');
  const colour = page.getByRole('textbox', { name: 'Farbe', exact: true });
  await colour.fill('#FACC16');
  await expect(page.getByText('(1,5:1 statt mindestens 3:1)')).toBeVisible();
  await page.getByRole('button', { name: 'Verwerfen' }).click();
  const find = page.getByRole('button', { name: 'Alles durchsuchen' });
  const [around, key] = [await find.boundingBox(), await find.locator('kbd').boundingBox()];
  expect((key?.x ?? 0) + (key?.width ?? 0)).toBeLessThanOrEqual((around?.x ?? 0) + (around?.width ?? 0));
  await page.goto('/authenticate-caller');
  await page.getByRole('main').getByRole('button').first().click();
  await expect(page.getByText('„Öffnen Sie Ihren Authenticator')).toBeVisible();
  await page.setViewportSize({ width: 320, height: 800 });
  await page.goto('/dashboard');
  const add = page.getByText('Spitznamen hinzufügen', { exact: true });
  await expect(add).toBeVisible();
  expect(await add.evaluate((words) => words.scrollWidth - words.clientWidth)).toBeLessThanOrEqual(0);
  const status = await page.getByText('Inaktiv', { exact: true }).boundingBox();
  const end = await add.evaluate((words) => words.getBoundingClientRect().right);
  expect(end).toBeLessThanOrEqual(status?.x ?? 0);
});

test(
  'changes the language in the profile menu, and keeps it in the member’s next browser',
  WHOLE,
  async ({ page, signIn, openBrowser }) => {
    await signIn('super.admin@acme.test');
    await page.getByRole('button', { name: /^Profile/ }).click();
    await page.getByRole('menuitem', { name: 'Deutsch' }).click();
    await expect(page.getByRole('link', { name: 'Benutzerverwaltung' })).toBeVisible();
    await page.goto('/applications');
    await expect(page.getByRole('heading', { level: 1, name: 'Anwendungen' })).toBeVisible();

    const another = await openBrowser();
    await signIn('super.admin@acme.test', { on: another, with: 'desktop' });
    await expect(another.getByRole('link', { name: 'Benutzerverwaltung' })).toBeVisible();
  },
);

/** Words common in English sentences that don't occur in German sentences. */
const WORDS = 'the of and your yours you is are with for this that not has have they from by can to'.split(' ');
const ENGLISH = new RegExp(
  `(?<![\\p{L}\\d/.@-])(?:${WORDS.flatMap((word) => [word, word.replace(/^./, (letter) => letter.toUpperCase())]).join('|')})(?![\\p{L}\\d/.@-])`,
  'u',
);

/** Returns all strings in a response, at any depth. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

test('leaves nothing untranslated on German pages, and fits them into 320 pixels', async ({ page, signIn }) => {
  const given = new Set<string>();
  // Reads responses in a route handler, because response event bodies are lost once the page has navigated.
  await page.route('**/api/**', async (route) => {
    const response = await route.fetch();
    const body = await response.body();
    if (response.headers()['content-type']?.includes('application/json'))
      for (const text of textsIn(JSON.parse(body.toString('utf8')))) if (text.length > 3) given.add(text);
    await route.fulfill({ response, body });
  });
  await signIn('super.admin@acme.test');
  await page.evaluate(() => localStorage.setItem('orchestrate.language', 'de'));
  const found: string[] = [];
  for (const path of sampleIfBrief(PAGES, 4)) {
    await page.setViewportSize({ width: 1_440, height: 900 });
    await open(page, path);
    const texts = await page.locator('body').evaluate((body) => {
      const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
      const texts: string[] = [];
      for (let node = walker.nextNode(); node; node = walker.nextNode())
        if (!node.parentElement?.closest('noscript, script, style, code')) texts.push(node.textContent ?? '');
      for (const named of body.querySelectorAll('[aria-label], [placeholder]'))
        texts.push(named.getAttribute('aria-label') ?? '', named.getAttribute('placeholder') ?? '');
      return texts;
    });
    const known = [...given].toSorted((a, b) => b.length - a.length);
    for (const text of new Set(texts)) {
      const own = known.reduce((rest, one) => rest.replaceAll(one, ''), text);
      // English text from the server that has a German translation should have been translated.
      const isLeft = !path.endsWith('faq') && toGerman(text.trim()) !== text.trim();
      if (isLeft) found.push(`${path}: ${text.trim()}`);
      if (ENGLISH.test(own) && !known.some((one) => one.includes(text.trim()))) found.push(`${path}: ${text.trim()}`);
    }
    expect.soft(await overflowAt(page, 320), `${path} at 320 px`).toBeLessThanOrEqual(0);
  }
  await page.unrouteAll({ behavior: 'wait' });
  expect(found).toEqual([]);
});

test('shows lab results in German', WHOLE, async ({ page, portal }) => {
  const email = 'user@acme.test';
  const { primaryAttr } = await portal.person({ org: 'acme' });
  await portal.policy({ match: { email }, answer: 'approve', lie: 'wrong-key', times: 1 });
  await portal.fault({ match: { path: '/api/health' }, answer: { cut: true } });
  await portal.call(contract.health, {}).catch(() => undefined);
  for (const name of [email, primaryAttr]) {
    await portal.call(contract.login, { body: { orgCode: 'acme', mode: 'PUSH', primaryAttr: name } });
  }
  await portal.call(contract.signup, {
    body: { orgCode: 'acme', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@acme.test' },
  });
  const { loginId = '' } = await portal.call(contract.login, { body: { orgCode: 'acme', mode: 'QID' } });
  (await portal.open(loginLive, { loginId })).close();
  await portal.deny(loginId, { as: email });
  await portal.open(loginLive, { loginId: '' }).catch(() => undefined);
  const { token } = await portal.session({ email });

  await page.addInitScript(() => localStorage.setItem('orchestrate.language', 'de'));
  const isEnglish = (line: string) => ENGLISH.test(line) || toGerman(line) !== line;
  const requireGerman = async (where: Locator) => {
    const text = async () => (await where.allInnerTexts()).join('\n');
    await expect.poll(text).not.toBe('');
    await expect.poll(async () => (await text()).split('\n').filter(isEnglish)).toEqual([]);
  };
  await page.goto('/lab/journal');
  const journal = page.getByRole('list', { name: 'Journal' });
  for (const kind of ['challenge', 'message', 'policy', 'fault', 'socket', 'http']) {
    await page.getByRole('combobox', { name: 'Art' }).selectOption(kind);
    await expect(journal.getByRole('button').first()).toBeVisible();
    await requireGerman(journal);
    await journal.getByRole('button').first().click();
    await requireGerman(page.getByRole('heading', { level: 2 }));
  }
  await page.getByRole('searchbox').fill('beantwortet mit 200');
  await expect(journal.getByRole('button').first()).toBeVisible();
  await page.getByRole('button', { name: 'Journal prüfen' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Pfad' }).fill('/api/profile');
  await dialog.getByRole('button', { name: 'Prüfen', exact: true }).click();
  await expect(dialog.getByRole('list', { name: 'Ähnlichste Einträge' })).toBeVisible();
  await requireGerman(dialog.getByRole('status'));

  await page.goto('/lab/tokens');
  const desk = page.getByRole('textbox', { name: 'Token oder SAML-Antwort' });
  const inspect = page.getByRole('button', { name: 'Prüfen', exact: true });
  for (const pasted of [token, 'e30.e30.x', '<samlp:Response xmlns:samlp="x"/>', '<!DOCTYPE a><Response/>']) {
    await desk.fill(pasted);
    await inspect.click();
    await expect(page.getByRole('list', { name: 'Prüfungen' })).toBeVisible();
    await requireGerman(page.getByRole('region'));
  }

  await page.goto('/lab/provisioning');
  await page.getByRole('textbox', { name: 'URL' }).fill(`${portal.url}/scim/v2/acme`);
  await page.getByRole('button', { name: 'Senden' }).click();
  await expect(page.getByRole('list', { name: 'Antworten' })).toBeVisible();
  await requireGerman(page.getByRole('list', { name: 'Antworten' }));
});

test('shows service provider metadata warnings in German', WHOLE, async ({ page, portal, signIn }) => {
  await signIn('super.admin@acme.test');
  const { token } = await portal.session({ email: 'super.admin@acme.test' });
  const source = { entityId: 'urn:hr', assertionConsumerServiceUrl: 'http://hr.example/acs' };
  const params = { orgCode: 'acme' };
  const { metadata } = await portal.call(contract.readSamlMetadata, { params, body: source }, { token });
  await portal.call(
    contract.updateSamlApp,
    { params: { ...params, appId: 'travel-desk' }, body: { metadata } },
    { token },
  );
  await page.evaluate(() => localStorage.setItem('orchestrate.language', 'de'));
  await page.goto('/applications/travel-desk/configuration');
  await expect(page.getByText('Anmeldungen an http://hr.example/acs sind nicht verschlüsselt')).toBeVisible();
});
