import { expectAccessible } from './fixtures/accessible.ts';
import { latestEmailTo } from './fixtures/data.ts';
import { expect, test, WHOLE } from './fixtures/test.ts';

const ADMIN = 'super.admin@acme.test';

test(
  'customises the invitation email, sends a test and sends an invitation',
  WHOLE,
  async ({ page, portal, signIn, complaints }) => {
    complaints.expect(/status of 400/);
    await signIn(ADMIN);
    await page.getByRole('button', { name: 'Manage Settings' }).click();
    await page.getByRole('link', { name: 'Emails', exact: true }).click();
    await page.getByRole('navigation', { name: 'Emails' }).getByRole('link', { name: 'Invitation' }).click();
    await expect(page.getByRole('heading', { name: 'Invitation' })).toBeVisible();
    await page.getByRole('textbox', { name: 'Subject' }).fill('Come in, ${firstName}');
    await page.getByRole('textbox', { name: 'Text' }).fill('Your place at ${organisation} is ready.');
    await expect(page.getByText('Put [your words](${link}) in its own paragraph, exactly once')).toBeVisible();
    await page.getByRole('textbox', { name: 'Text' }).press('Control+End');
    await page.getByRole('button', { name: '[Open](${link})' }).click();
    const preview = page.frameLocator('iframe');
    await expect(preview.getByText('Your place at Acme Corporation is ready.')).toBeVisible();
    await expect(preview.getByRole('link', { name: 'Open', exact: true })).toBeVisible();
    await expectAccessible(page, 'mails');
    await page.getByRole('button', { name: 'Send me a test' }).click();
    await expect(page.getByText(`Sent to ${ADMIN}`)).toBeVisible();
    expect((await latestEmailTo(portal, ADMIN)).subject).toBe('Come in, Avery');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Email saved')).toBeVisible();

    await page.getByRole('link', { name: 'Manage Users' }).click();
    await page.getByRole('searchbox', { name: 'Search members' }).fill('lindholm');
    await page.getByRole('checkbox', { name: 'Select Mara Lindholm' }).check();
    await page.getByRole('button', { name: 'Resend invitation' }).click();
    await page.getByRole('button', { name: 'Resend 1 invitation' }).click();
    await expect(page.getByText('1 invited')).toBeVisible();
    const mail = await latestEmailTo(portal, 'mara.lindholm@acme.test');
    expect(mail.subject).toBe('Come in, Mara');
    expect(mail.text).toContain('Your place at Acme Corporation is ready.');
  },
);

test('scrolls to the selected email in a narrow window', WHOLE, async ({ page, signIn }) => {
  await signIn(ADMIN);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/org-settings/mails');
  await page.getByRole('navigation', { name: 'Emails' }).getByRole('link', { name: 'New device' }).click();
  await expect(page.getByRole('heading', { name: 'New device' })).toBeInViewport({ ratio: 1 });
});
