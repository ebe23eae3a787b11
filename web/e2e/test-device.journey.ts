import { seededDevice } from './fixtures/data.ts';
import { codeIn, shownAddress, shownCode } from './fixtures/sign-in.ts';
import { expect, test, WHOLE } from './fixtures/test.ts';

const PERSON = 'manager@acme.test';

// covers: spec 1.1.13
test('confirms that a phone works after it scans the code', WHOLE, async ({ page, phone, signIn }) => {
  await phone.startAs(PERSON);
  await signIn(PERSON);
  await page.getByRole('button', { name: 'Test Device' }).last().click();
  await page.getByRole('button', { name: 'Generate code' }).click();
  await phone.openScanned(await shownAddress(page));
  await expect(phone.sheet).toContainText('This device works');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('heading', { name: 'The device works' })).toBeVisible();
  await expect(dialog.getByRole('definition').first()).toHaveText(/iPhone 16|Galaxy S25/);
  await expect(dialog.getByRole('definition').nth(2)).toHaveText('Mobile');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(dialog).toBeHidden();
});

// covers: spec 1.1.13
test(
  'confirms that a phone works after the code is typed, and shows N/A for a missing nickname',
  WHOLE,
  async ({ page, phone, signIn }) => {
    await phone.startAs('user@acme.test');
    await signIn('user@acme.test');
    await page.getByRole('button', { name: 'Test Device' }).last().click();
    await page.getByRole('button', { name: 'Generate code' }).click();
    await shownAddress(page);
    await page.getByRole('tab', { name: 'Type code' }).click();
    await phone.typeCode(await shownCode(page));
    const facts = page.getByRole('dialog').getByRole('definition');
    await expect(facts.nth(0)).toHaveText('Pixel 9a');
    await expect(facts.nth(1)).toHaveText('N/A');
  },
);

test('renews an expired code', WHOLE, async ({ page, portal, authenticator, signIn }) => {
  await signIn(PERSON);
  await page.getByRole('button', { name: 'Test Device' }).last().click();
  await page.getByRole('button', { name: 'Generate code' }).click();
  await expect(page.getByText('Expires in')).toBeVisible();
  const first = await shownAddress(page);
  await portal.clock({ advance: '61s' });
  await expect(page.getByText('This code has expired.')).toBeVisible();
  await page.getByRole('button', { name: 'Get a new code' }).click();
  await expect(page.getByText('Expires in')).toBeVisible();
  const second = await shownAddress(page);
  expect(second).not.toBe(first);
  await authenticator.resolve(await seededDevice(portal, PERSON), codeIn(second));
  await expect(page.getByRole('heading', { name: 'The device works' })).toBeVisible();
});
