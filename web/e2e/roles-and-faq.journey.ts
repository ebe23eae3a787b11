import type { Page } from '@playwright/test';
import { expectAccessible } from './fixtures/accessible.ts';
import { expect, PHONE, test, WHOLE } from './fixtures/test.ts';

const ADMIN = 'super.admin@acme.test';
const USER = 'user@acme.test';
const QUESTION = 'Where is the help desk?';
const ANSWER_LINK = 'https://acme.test/help';

const PAYLOAD = [
  '<p>Harmless</p>',
  '<img src="/nothing.png" onerror="window.wasHit = true">',
  '<svg onload="window.wasHit = true"><script>window.wasHit = true</script></svg>',
  '<script>window.wasHit = true</script>',
  '<iframe srcdoc="<script>parent.wasHit = true</script>"></iframe>',
  '<p onmouseover="window.wasHit = true" style="position:fixed;inset:0"><a href="javascript:window.wasHit = true">here</a></p>',
].join('');

const menuLink = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true });

// covers: spec 2.1.7, spec 2.2.9
test(
  'creates and assigns a custom role, which changes the member’s menu',
  WHOLE,
  async ({ page, signIn, openBrowser }) => {
    const theirs = await openBrowser();
    await signIn(USER, { on: theirs });
    await expect(menuLink(theirs, 'Dashboard')).toBeVisible();
    await expect(menuLink(theirs, 'Authenticate Caller')).toBeHidden();

    await signIn(ADMIN);
    await page.getByRole('button', { name: 'Manage Settings' }).click();
    await menuLink(page, 'Role Management').click();
    await expect(page.getByText('2 of 5 custom roles')).toBeVisible();
    await expectAccessible(page, 'roles');
    await page.getByRole('button', { name: 'Create role' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create role' });
    await dialog.getByRole('textbox', { name: /Name/ }).fill('Caller desk');
    await dialog.getByRole('checkbox', { name: 'Callers', exact: true }).check();
    await dialog.getByRole('checkbox', { name: 'Own devices', exact: true }).check();
    await expectAccessible(page, 'create role');
    await dialog.getByRole('button', { name: 'Create role' }).click();
    await page.getByRole('link', { name: 'Caller desk' }).click();
    await expect(page.getByRole('dialog').getByRole('img', { name: 'Granted', exact: true })).toHaveCount(4);
    await expectAccessible(page, 'a role');
    await page.keyboard.press('Escape');

    await menuLink(page, 'Manage Users').click();
    await page.getByRole('searchbox', { name: 'Search members' }).fill('daniel');
    await page.getByRole('button', { name: 'Actions for Daniel Ortiz' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.getByRole('combobox', { name: /Role/ }).selectOption('Caller desk');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('User updated successfully')).toBeVisible();

    await theirs.reload();
    await expect(menuLink(theirs, 'Authenticate Caller')).toBeVisible();
    await expect(menuLink(theirs, 'Manage Users')).toBeHidden();

    await menuLink(page, 'Role Management').click();
    await page.getByRole('link', { name: 'Caller desk' }).click();
    await page.getByRole('button', { name: 'Delete role' }).click();
    await expect(page.getByText('Its 1 member becomes an Org User.')).toBeVisible();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete role' }).click();
    await expect(page.getByRole('link', { name: 'Caller desk' })).toBeHidden();
    await theirs.reload();
    await expect(menuLink(theirs, 'Dashboard')).toBeVisible();
    await expect(menuLink(theirs, 'Authenticate Caller')).toBeHidden();
  },
);

// covers: spec 2.1.7, spec 2.5.21
test(
  'writes an answer with a link, and shows it in the sign-in page’s help',
  WHOLE,
  async ({ page, signIn, openBrowser }) => {
    await signIn(ADMIN);
    await page.getByRole('button', { name: 'Manage Settings' }).click();
    await menuLink(page, 'Manage FAQ').click();
    await page.getByRole('button', { name: 'Add question to The basics' }).click();
    await page.getByRole('textbox', { name: 'Question' }).fill(QUESTION);
    await page.getByRole('textbox', { name: 'Answer' }).click();
    await page.keyboard.type('On the ');
    await page.getByRole('button', { name: 'Bold' }).click();
    await page.keyboard.type('second floor');
    await page.keyboard.press('Control+b');
    await page.keyboard.type(', see ');
    await page.getByRole('button', { name: 'Link' }).click();
    const address = page.getByRole('textbox', { name: 'Link address' });
    await address.fill('mailto:help@acme.test');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Please enter a valid URL starting with http:// or https://')).toBeVisible();
    await expectAccessible(page, 'write an answer');
    await address.fill(ANSWER_LINK);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Preview' }).click();
    const preview = page.getByRole('region', { name: 'Preview' });
    await expect(preview.getByRole('link', { name: ANSWER_LINK })).toBeVisible();
    await page.getByRole('dialog').getByRole('button', { name: 'Add question' }).click();
    await expect(page.getByText('Question added successfully')).toBeVisible();

    const questions = page.getByRole('list', { name: 'Questions in The basics' }).getByRole('listitem');
    await expect(questions.last()).toContainText(QUESTION);
    const menu = page.getByRole('button', { name: `Actions for ${QUESTION}` });
    await menu.press('Enter');
    await page.getByRole('menuitem', { name: 'Move up' }).click();
    await expect(questions.nth(-2)).toContainText(QUESTION);
    await expect(menu).toBeFocused();
    await expectAccessible(page, 'manage FAQ');

    const phone = await openBrowser(PHONE);
    await phone.goto('/acme/sign-in');
    await phone.getByRole('button', { name: 'Need help?' }).tap();
    await phone.getByRole('link', { name: 'Frequently asked questions' }).tap();
    await expect(phone).toHaveURL(/\/acme\/faq$/);
    await phone.getByRole('searchbox', { name: 'Search questions and answers' }).fill('SECOND floor');
    await expect(phone.getByText('1 question found')).toBeVisible();
    await expectAccessible(phone, 'found in the FAQ');
    await expect(phone.locator('strong')).toHaveText('second floor');
    const link = phone.getByRole('link', { name: ANSWER_LINK });
    await expect(link).toHaveAttribute('href', ANSWER_LINK);
    await expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow');

    await phone.getByRole('button', { name: 'Clear search' }).tap();
    await phone.getByRole('button', { name: QUESTION }).tap();
    await expect(phone).toHaveURL(/#.+/);
    await phone.reload();
    await expect(phone.getByRole('button', { name: QUESTION })).toHaveAttribute('aria-expanded', 'true');
    await expect(phone.getByRole('button', { name: QUESTION })).toBeInViewport();
  },
);

test('neutralises malicious HTML in an answer when it is stored and when it is displayed', async ({
  page,
  signIn,
  openBrowser,
  complaints,
}) => {
  await signIn(ADMIN);
  const stored = await page.evaluate(async (answer) => {
    const { token } = JSON.parse(localStorage.getItem('orchestrate.session') ?? '{}');
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const { categories } = await (await fetch('/api/faq', { headers })).json();
    const { subcategoryId } = categories[0].subcategories[0];
    const body = JSON.stringify({ subcategoryId, question: 'Payload', answer });
    return (await fetch('/api/faq/record', { method: 'POST', headers, body })).json();
  }, PAYLOAD);
  expect(stored.answer).toBe('<p>Harmless</p><p>here</p>');

  const reader = await openBrowser();
  await reader.goto(`/acme/faq#${stored.recordId}`);
  await expectInert(reader, stored.recordId);

  // Simulates a server that doesn't sanitise answers. Parsing the payload violates the page's content security
  // policy.
  complaints.expect(/inline event handler/);
  await reader.route('**/api/faq/public?*', async (route) => {
    const reply = await (await route.fetch()).text();
    await route.fulfill({ body: reply.replace(JSON.stringify(stored.answer), JSON.stringify(PAYLOAD)) });
  });
  await reader.reload();
  await expectInert(reader, stored.recordId);
});

async function expectInert(page: Page, recordId: string): Promise<void> {
  const answer = page.locator(`[id="${recordId}-answer"]`);
  await expect(answer).toContainText('Harmless');
  await answer.getByText('here').click();
  await expect(answer.locator('img, svg:not(.lucide), script, iframe, a, [style], [onmouseover]')).toHaveCount(0);
  expect(await page.evaluate(() => 'wasHit' in window)).toBe(false);
}

test('keeps lists, tables and spaces in text pasted from Word', WHOLE, async ({ page, signIn }) => {
  await signIn(ADMIN);
  await page.getByRole('button', { name: 'Manage Settings' }).click();
  await menuLink(page, 'Manage FAQ').click();
  await page.getByRole('button', { name: 'Add question to The basics' }).click();
  await page.getByRole('textbox', { name: 'Question' }).fill('What is in the box?');
  const answer = page.getByRole('textbox', { name: 'Answer' });
  await answer.click();
  const entry = (words: string, marker: string, level: number, list = 'l0') =>
    `<p class=MsoListParagraph style='mso-list:${list} level${level} lfo1'><span style='mso-list:Ignore'>${marker}<span>&nbsp; </span></span>${words}</p>`;
  const html = `<html><body><!--StartFragment--><p class=MsoNormal><span>In the\r\nbox</span><span style='mso-spacerun:yes'>&nbsp; </span><span>are:</span></p>
${entry('A phone', '1.', 1)}
${entry('its cable', '·', 2)}
${entry('A card', '2.', 1)}
${entry('Keep it dry', '·', 1, 'l1')}
${entry('Call us', '5.', 1, 'l2')}
<table class=MsoTableGrid><thead><tr><th><p>Part</p></th><th><p>Pieces</p></th></tr></thead><tr><td width=200><p class=MsoNormal>Screw</p></td><td><p class=MsoNormal>4</p></td></tr></table><!--EndFragment--></body></html>`;
  await answer.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/html', pasted);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, html);
  await page.getByRole('dialog').getByRole('button', { name: 'Add question' }).click();
  await expect(page.getByText('Question added successfully')).toBeVisible();
  await page.getByRole('link', { name: 'View FAQ' }).click();
  // The previous page's buttons contain this text, so match exactly.
  await page.getByRole('button', { name: 'What is in the box?', exact: true }).click();
  const table = page.getByRole('table');
  await expect(table.getByRole('columnheader')).toHaveText(['Part', 'Pieces']);
  await expect(table.getByRole('cell')).toHaveText(['Screw', '4']);
  const numbered = page.locator('ol', { has: page.getByText('A phone') });
  await expect(numbered.locator('> li')).toHaveCount(2);
  await expect(numbered.locator('ul > li')).toHaveText('its cable');
  await expect(
    page
      .locator('ul', { has: page.getByText('Keep it dry') })
      .last()
      .locator('> li'),
  ).toHaveCount(1);
  await expect(page.locator('ol', { has: page.getByText('Call us') })).toHaveAttribute('start', '5');
  await expect(page.getByText(/^In the box\u00a0 are:$/)).toBeVisible();
  await expectAccessible(page, 'an answer with a table');
});

test('drags a question to another position, but only within its subcategory', WHOLE, async ({ page, signIn }) => {
  await signIn(ADMIN);
  await page.getByRole('button', { name: 'Manage Settings' }).click();
  await menuLink(page, 'Manage FAQ').click();
  const questions = page.getByRole('list', { name: 'Questions in The basics' }).getByRole('listitem');
  await expect(questions.first()).toBeVisible();
  const before = await questions.allInnerTexts();
  const last = questions.last();
  const { height } = (await last.boundingBox()) ?? { height: 0 };
  await questions
    .first()
    .locator('[data-handle]')
    .dragTo(last, { targetPosition: { x: 40, y: height - 2 } });
  await expect(questions).toHaveText([...before.slice(1), before[0] ?? '']);
  await expect(
    page.getByRole('status').filter({ hasText: `is now ${before.length} of ${before.length}` }),
  ).toBeAttached();
  await page.reload();
  await expect(questions).toHaveText([...before.slice(1), before[0] ?? '']);
  const other = page.getByRole('heading', { level: 3 }).nth(1);
  await questions.first().locator('[data-handle]').dragTo(other);
  await expect(questions).toHaveText([...before.slice(1), before[0] ?? '']);
  await expect(page.getByText('Questions can only be reordered within their subcategory.')).toBeVisible();

  for (const width of [1280, 1024]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(questions.first().locator('[data-handle]')).toBeVisible();
  }
  const now = await questions.allInnerTexts();
  await questions
    .first()
    .locator('[data-handle]')
    .dragTo(questions.nth(1), { targetPosition: { x: 40, y: height - 2 } });
  await expect(questions).toHaveText([now[1] ?? '', now[0] ?? '', ...now.slice(2)]);
  await page.setViewportSize({ width: 320, height: 800 });
  await expect(questions.first().locator('[data-handle]')).toBeHidden();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  const names = page.getByRole('main').locator('h3, li > p');
  const widths = await names.evaluateAll((all) => all.map((name) => name.getBoundingClientRect().width));
  expect(widths.length).toBeGreaterThan(before.length);
  expect(Math.min(...widths), 'width of a name on the smallest phone').toBeGreaterThan(160);
});

test('keeps headings and columns in pasted text, and reports removed images', WHOLE, async ({ page, signIn }) => {
  await signIn(ADMIN);
  await page.goto('/org-settings/manage-faq');
  await page.getByRole('button', { name: 'Add question to The basics' }).click();
  const answer = page.getByRole('textbox', { name: 'Answer' });
  const paste = (type: 'text/html' | 'file', what: string) =>
    answer.evaluate(
      (element, [kind, pasted = '']) => {
        const clipboardData = new DataTransfer();
        if (kind === 'file') clipboardData.items.add(new File([pasted], 'picture.png', { type: 'image/png' }));
        else clipboardData.setData('text/html', pasted);
        element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      },
      [type, what],
    );
  await answer.click();
  const note = page.getByText("Images were removed because answers can't contain images.");
  await paste(
    'text/html',
    '<h1>The box</h1><table><tr><td colspan="2">Parts</td></tr><tr><td>Screw</td><td>4</td></tr></table>',
  );
  await expect(answer.getByRole('heading', { name: 'The box' })).toBeVisible();
  await expect(answer.getByRole('row').first().getByRole('cell')).toHaveText(['Parts', '']);
  await expect(note).toBeHidden();
  await paste('text/html', '<p>Look: <img src="https://acme.test/box.png"></p>');
  await expect(note).toBeVisible();
  await paste('text/html', '<p>Nothing to see</p>');
  await expect(note).toBeHidden();
  await paste('file', 'not read');
  await expect(note).toBeVisible();
});
