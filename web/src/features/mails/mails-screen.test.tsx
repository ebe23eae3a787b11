import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { type Language, listMailTexts, readOutbox, saveMailLanguage } from '@orchestrate/shared';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closePage, visitSignedIn } from '#layout/testing.tsx';
import { NavigationGuard } from '#lib/leaving/navigation-guard.tsx';
import { paths } from '#paths.ts';
import { fill, user } from '#testing.ts';
import MailsScreen from './mails-screen.tsx';

const ADMIN = 'super.admin@acme.test';

let portal: TestPortal;
let token: string;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => closePage(portal));

async function open(mail = 'new-device') {
  const path = `${paths.mails}?mail=${mail}`;
  ({ token } = await visitSignedIn(
    portal,
    ADMIN,
    path,
    <NavigationGuard>
      <MailsScreen />
    </NavigationGuard>,
  ));
  await screen.findByRole('textbox', { name: 'Subject' });
}
const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const press = async (name: string) => user.click(await screen.findByRole('button', { name }));
const read = async (language: Language) => (await portal.call(listMailTexts, { query: { language } }, { token })).body;
const saved = async (name: string, language: Language = 'en') =>
  (await read(language)).mails.find((mail) => mail.name === name);
const chooseLanguage = async (name: 'English' | 'German') => user.click(await screen.findByRole('tab', { name }));

// covers: spec 2.2.43
test('edits, previews, saves and resets an email’s text', async () => {
  await open();
  expect(field('Subject').value).toBe('New device: ${deviceName}');
  await fill(field('Subject'), 'Welcome, ${deviceName}');
  await screen.findByText('Welcome, Pixel 10');
  screen.getByText('Uses a fictional person.');
  await press('Save');
  await screen.findByText('Email saved');
  expect(await saved('new-device')).toMatchObject({ subject: 'Welcome, ${deviceName}', isOwn: true });
  const list = within(screen.getByRole('navigation', { name: 'Emails' }));
  await list.findByText('Custom text');
  await press('Restore default text');
  const dialog = within(await screen.findByRole('alertdialog'));
  await user.click(dialog.getByRole('button', { name: 'Restore default text' }));
  await waitFor(() => expect(field('Subject').value).toBe('New device: ${deviceName}'));
  expect(await saved('new-device')).toMatchObject({ isOwn: false });
});

test('inserts a variable at the cursor', async () => {
  await open();
  await fill(field('Text'), 'On  it was added.');
  const area = field('Text');
  area.setSelectionRange(3, 3);
  await press('${at}');
  expect(area.value).toBe('On ${at} it was added.');
  expect(document.activeElement).toBe(area);
});

test('inserts a code as a separate paragraph', async () => {
  await open('activation-code');
  await fill(field('Text'), 'Here it is. Bye.');
  field('Text').setSelectionRange(12, 12);
  await press('${code}');
  expect(field('Text').value).toBe('Here it is.\n\n${code}\n\nBye.');
});

test('reports errors while typing, and on their field when saving', { tags: 'whole' }, async () => {
  await open('activation-code');
  await fill(field('Text'), 'No code here');
  await screen.findByText('Put ${code} in its own paragraph, exactly once');
  expect(screen.getByRole('button', { name: 'Send me a test' })).toMatchObject({ disabled: true });
  await press('Save');
  await waitFor(() => expect(field('Text').getAttribute('aria-invalid')).toBe('true'));
  expect(await saved('activation-code')).toMatchObject({ isOwn: false });
});

test('sends a test email with unsaved text to the user', { tags: 'whole' }, async () => {
  await open('invitation');
  await fill(field('Subject'), 'Come in, ${firstName}');
  await screen.findByText('Come in, Robin');
  await press('Send me a test');
  await screen.findByText(`Sent to ${ADMIN}`);
  const { messages } = (await portal.call(readOutbox, { query: { to: ADMIN } })).body;
  expect(messages[0]?.subject).toBe('Come in, Avery');
});

test('previews the HTML version without scripts, or the plain text', async () => {
  await open('invitation');
  const page = await screen.findByTitle('You are invited to Acme Corporation');
  expect(page.getAttribute('sandbox')).not.toContain('allow-scripts');
  await user.click(screen.getByRole('tab', { name: 'Text' }));
  await screen.findByText(/^Hello Robin,/);
});

// covers: spec 2.2.44
test('previews, edits, tests and resets the German text without changing the English text', async () => {
  await open();
  await chooseLanguage('German');
  await waitFor(() => expect(field('Subject').value).toBe('Neues Gerät: ${deviceName}'));
  expect(field('Text').lang).toBe('de');
  await fill(field('Subject'), 'Willkommen, ${deviceName}');
  await screen.findByText('Willkommen, Pixel 10');
  await press('Send me a test');
  await screen.findByText(`Sent to ${ADMIN}`);
  const { messages } = (await portal.call(readOutbox, { query: { to: ADMIN } })).body;
  expect(messages[0]?.text).toMatch(/^Guten Tag Avery!/);
  await press('Save');
  await screen.findByText(/Email saved/);
  expect(await saved('new-device', 'de')).toMatchObject({ subject: 'Willkommen, ${deviceName}', isOwn: true });
  expect(await saved('new-device')).toMatchObject({ subject: 'New device: ${deviceName}', isOwn: false });

  const list = () => within(screen.getByRole('navigation', { name: 'Emails' }));
  await list().findByText('Custom text');
  await chooseLanguage('English');
  await waitFor(() => expect(field('Subject').value).toBe('New device: ${deviceName}'));
  await list().findByText('Custom text in German');
  expect(list().queryByText('Custom text')).toBeNull();

  await chooseLanguage('German');
  await press('Restore default text');
  const dialog = within(await screen.findByRole('alertdialog'));
  dialog.getByText('This deletes your custom German subject and text for this email.');
  await user.click(dialog.getByRole('button', { name: 'Restore default text' }));
  await waitFor(() => expect(field('Subject').value).toBe('Neues Gerät: ${deviceName}'));
  expect(await saved('new-device', 'de')).toMatchObject({ isOwn: false });
});

test.each(['another language', 'another email'])(
  'asks for confirmation before switching to %s with unsaved text',
  { tags: 'whole' },
  async (target) => {
    await open();
    await fill(field('Subject'), 'Not saved');
    if (target === 'another language') await chooseLanguage('German');
    else await user.click(screen.getByRole('link', { name: 'Invitation' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Save your changes?' }));
    await user.click(dialog.getByRole('button', { name: 'Stay' }));
    expect(field('Subject').value).toBe('Not saved');
  },
);

test('saves the organisation’s email language', async () => {
  await open();
  const choice = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Email language' });
  expect(choice.value).toBe('en');
  await user.selectOptions(choice, 'German');
  await press('Save');
  await screen.findByText('Email language saved');
  expect((await read('en')).mailLanguage.language).toBe('de');
});

test('reports no conflict if two administrators choose the same email language', { tags: 'whole' }, async () => {
  await open();
  const choice = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Email language' });
  await user.selectOptions(choice, 'German');
  await portal.call(saveMailLanguage, { body: { language: 'de' } }, { token });
  await press('Save');
  await screen.findByText('Email language saved');
  expect((await read('en')).mailLanguage.language).toBe('de');
});
