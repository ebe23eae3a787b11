import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './fixtures/accessible.ts';
import { latestEmailTo } from './fixtures/data.ts';
import { shownAddress } from './fixtures/sign-in.ts';
import { expect, PHONE, test, WHOLE } from './fixtures/test.ts';

const ADMIN = 'super.admin@acme.test';
const NEWCOMER = 'mara.lindholm@acme.test';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Invite users' });

async function openDialog(page: Page): Promise<void> {
  await page.goto('/manage-users?modal=invite');
  await expect(dialog(page)).toBeVisible();
}

async function takeFile(page: Page, text: string): Promise<void> {
  await dialog(page).getByRole('radio', { name: 'Mobile' }).check();
  await dialog(page).getByRole('tab', { name: 'CSV file' }).click();
  // When this switch is off, only rows with all four columns create new members.
  const addsAll = dialog(page).getByRole('switch', { name: 'Add people with only an email address' });
  if (await addsAll.isChecked()) await addsAll.click();
  const buffer = Buffer.from(text);
  await page.locator('input[type=file]').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer });
}

const button = (page: Page) => dialog(page).getByRole('button', { name: /^Invite( [\d,]+ of [\d,]+)?$/ });
const invite = (page: Page) => button(page).click();

test(
  'leads an invited user from the email to the first sign-in',
  WHOLE,
  async ({ page, phone, portal, signIn, openBrowser }) => {
    await signIn(ADMIN);
    await openDialog(page);
    await dialog(page).getByRole('radio', { name: 'Mobile' }).check();
    await page.getByRole('textbox', { name: /^Email addresses/ }).pressSequentially(`${NEWCOMER}, nobody@acme.test `);
    await dialog(page).getByRole('radio', { name: 'Skip' }).check();
    await invite(page);
    await expect(dialog(page)).toContainText('1 user not found');

    const newcomer = await openBrowser();
    const [link = ''] = (await latestEmailTo(portal, NEWCOMER)).links;
    await newcomer.goto(link);
    await expect(newcomer.getByText("We've sent you an activation code by email")).toBeVisible();
    // Opening the link again shows the same page while the code is valid.
    await newcomer.reload();
    await expect(newcomer.getByText("We've sent you an activation code by email")).toBeVisible();

    const { code = '' } = await latestEmailTo(portal, NEWCOMER);
    await phone.page.goto('/authenticator?activate=acme');
    await phone.sheet.getByRole('textbox', { name: 'Email' }).fill(NEWCOMER);
    await phone.sheet.getByRole('textbox', { name: 'Activation code' }).fill(code);
    await phone.sheet.getByRole('button', { name: 'Activate' }).click();
    await expect(phone.sheet).toContainText('This phone is ready');
    await newcomer.goto('/acme/sign-in?with=scan');
    await phone.openScanned(await shownAddress(newcomer));
    await phone.approve();
    await expect(newcomer.getByRole('heading', { level: 1 })).toHaveText(/, Mara$/);
  },
);

// covers: spec 1.1.7
test('invites three new users with four clicks, and previews them as new', WHOLE, async ({ page, portal, signIn }) => {
  await signIn(ADMIN);
  await page.goto('/manage-users');
  let clicks = 0;
  const click = async (target: Locator) => {
    clicks += 1;
    await target.click();
  };
  await click(page.getByRole('button', { name: 'Invite users' }));
  await click(dialog(page).locator('label').filter({ hasText: 'Mobile' }));
  await click(dialog(page).getByRole('textbox', { name: /^Email addresses/ }));
  const box = await button(page).boundingBox();
  await page.keyboard.type('ada.berg@acme.test, bo.ek@acme.test, cy.lind@acme.test ');
  await expect(dialog(page)).toContainText('3 new people');
  // The button hasn't moved, so a click at this moment still hits it.
  expect(await button(page).boundingBox()).toEqual(box);
  await expectAccessible(page, 'new people');
  await click(button(page));
  await expect(dialog(page)).toContainText('All users were invited');
  expect(clicks).toBe(4);
  expect((await latestEmailTo(portal, 'cy.lind@acme.test')).subject).toContain('invited');
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  await page.getByRole('link', { name: 'Invitations' }).click();
  await expect(page.getByRole('row', { name: /Ada Berg/ })).toContainText('Pending');
});

// covers: spec 1.7.36
test('invites users from a file, and downloads failures without formulas', WHOLE, async ({ page, signIn, portal }) => {
  await signIn(ADMIN);
  await openDialog(page);
  await dialog(page).getByRole('tab', { name: 'CSV file' }).click();
  const template = page.waitForEvent('download');
  await dialog(page).getByRole('link', { name: 'Download template' }).click();
  const header = await readFile(await (await template).path(), 'utf8');

  await takeFile(page, `${header}ines@acme.test,Ines,Castellanos,E-900001\n=cmd|calc@elsewhere.test,,,\n`);
  await expect(dialog(page)).toContainText("1 new person · 1 can't be invited");
  await expectAccessible(page, 'file shown before it is uploaded');
  await invite(page);
  await expect(dialog(page)).toContainText('1 user not found');
  await expect(dialog(page).getByRole('definition')).toHaveText(['1', '1', '1']);
  expect((await latestEmailTo(portal, 'ines@acme.test')).subject).toContain('invited');

  const download = page.waitForEvent('download');
  await dialog(page).getByRole('button', { name: 'Download list' }).click();
  const failed = await download;
  expect(failed.suggestedFilename()).toBe('failed-users.csv');
  expect(await readFile(await failed.path(), 'utf8')).toBe(
    `\uFEFF#,User,Status,Reason\r\n1,"'=cmd|calc@elsewhere.test",Rejected,\r\n`,
  );
});

test(
  'shows the form again after an upload, but not while the user is reading the result',
  WHOLE,
  async ({ page, signIn }) => {
    await page.clock.install();
    await signIn(ADMIN);
    await openDialog(page);
    await takeFile(page, 'ines@acme.test,Ines,Castellanos,E-900001\n');
    await expect(dialog(page)).toContainText('1 new person');
    await invite(page);
    const heading = dialog(page).getByRole('heading', { name: 'All users were invited' });
    await heading.hover();
    const note = dialog(page).getByText(/^New form in \d s$/);
    const held = await note.textContent();
    await page.clock.fastForward(60_000);
    expect(await note.textContent()).toBe(held);
    await page.mouse.move(0, 0);
    await page.clock.runFor(6_000);
    await expect(dialog(page).getByRole('radio', { name: 'Mobile', checked: false })).toBeVisible();
  },
);

test(
  'keeps the users invited before an upload was stopped, and completes the upload on retry',
  WHOLE,
  async ({ page, signIn }) => {
    // The upload needs enough users to still be running when the test stops it, even on a fast machine. On a busy
    // machine, uploading them takes minutes.
    test.setTimeout(360_000);
    const count = 75_000;
    const people = Array.from({ length: count }, (_, at) => `hire.${at}@acme.test,Hire,No ${at},E-9${at}\n`).join('');
    await signIn(ADMIN);
    await openDialog(page);
    await dialog(page).getByRole('switch', { name: 'Send email' }).click();
    await takeFile(page, people);
    // Wait for the file check. Until it has finished, the button doesn't upload the file.
    await expect(dialog(page)).toContainText('75,000 new people');
    await invite(page);
    await expect(dialog(page).getByText(/^[1-9]\d? %$/)).toBeVisible();
    await page.keyboard.press('Escape');
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await dialog(page).getByRole('button', { name: 'Stop upload' }).click();
    await expect(dialog(page)).toContainText('The upload was stopped');
    await dialog(page).getByRole('button', { name: 'Back to the form' }).click();
    await invite(page);
    await expect(dialog(page)).toContainText('All users who needed an invitation were invited', {
      timeout: 300_000,
    });
    const [invited = 0, , unchanged = 0] = (await dialog(page).getByRole('definition').allTextContents()).map((text) =>
      Number(text.replaceAll(',', '')),
    );
    expect(invited + unchanged).toBe(count);
    expect(unchanged).toBeGreaterThan(0);
  },
);

test('passes axe in every step of inviting', WHOLE, async ({ page, signIn, openBrowser, portal, complaints }) => {
  complaints.expect(/500/);
  await signIn(ADMIN);
  await openDialog(page);
  await expectAccessible(page, 'form');
  await invite(page);
  await expect(dialog(page).getByText('This field is required').first()).toBeVisible();
  await page.getByRole('textbox', { name: /^Email addresses/ }).pressSequentially('ada@acme.test, nobody ');
  await expectAccessible(page, 'addresses');
  await takeFile(page, 'nobody@elsewhere.test\n');
  await expectAccessible(page, 'file');
  await invite(page);
  await dialog(page).getByRole('button', { name: 'Keep result' }).click();
  await expectAccessible(page, 'result');
  await dialog(page).getByRole('button', { name: 'Invite more' }).click();
  await takeFile(page, 'nobody@elsewhere.test\n');
  // Wait for the file check. Until it has finished, the button doesn't upload the file.
  await expect(dialog(page)).toContainText("1 can't be invited");
  await portal.fault({ method: 'POST', path: '/user/bulkinvite' });
  await invite(page);
  await expect(dialog(page)).toContainText('Failed to upload file. Please try again');
  await expectAccessible(page, 'error');

  const phone = await openBrowser(PHONE);
  await signIn(ADMIN, { on: phone });
  await phone.goto('/dashboard?modal=invite');
  await expect(phone.getByText('Admin features are available only on Desktop')).toBeVisible();
});

test('fits the whole result on the narrowest phone', WHOLE, async ({ openBrowser, signIn }) => {
  const page = await openBrowser({ viewport: { width: 320, height: 700 } });
  await signIn(ADMIN, { on: page });
  await openDialog(page);
  const zoe = 'zoe@acme.test,Zoë,Ek,N-900001';
  await takeFile(
    page,
    `email,firstName,lastName,primaryAttr\n${zoe}\n${zoe}\nuser@acme.test,,,\nnobody@acme.test,,,\n`,
  );
  await expect(dialog(page)).toContainText('1 new person · 1 needs no invitation · 1 duplicate row');
  await invite(page);
  await expect(dialog(page).getByRole('definition')).toHaveText(['1', '1', '1', '1', '1']);
  const hidden = await dialog(page).evaluate((box) =>
    [box, ...box.querySelectorAll('dl, table, [role=region], button')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
      .map(({ tagName, textContent }) => `${tagName} ${textContent}`),
  );
  expect(hidden).toEqual([]);
});
