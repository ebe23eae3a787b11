import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { INVITE_EMAILS_MAX, LIMITS, readOutbox } from '@orchestrate/shared';
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { changeOrgLoginOptions, closePage, visitSignedIn } from '#layout/testing.tsx';
import { endSession, startSession } from '#lib/session/session.ts';
import { drag, stubWindowWidth, user } from '#testing.ts';

const ADMIN = 'super.admin@acme.test';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => closePage(portal));

/** Opens the dialog on a desktop as the given user. */
async function open(email = ADMIN) {
  stubWindowWidth(1_440);
  await visitSignedIn(portal, email, '/manage-users?modal=invite', <h1>Manage Users</h1>);
  await screen.findByRole('dialog', { name: 'Invite users' });
}

const press = async (name: string | RegExp) => user.click(await screen.findByRole('button', { name }));
const choose = (name: string) => user.click(screen.getByRole('radio', { name }));
const addresses = () => screen.getByRole<HTMLInputElement>('textbox', { name: /^Email addresses/ });
const tags = () => within(screen.getByRole('group', { name: 'Email addresses' })).queryAllByRole('listitem');
const paste = async (text: string) => {
  await user.click(addresses());
  await user.paste(text);
};
const counts = () => {
  const terms = screen.getAllByRole('term');
  return Object.fromEntries(terms.map((term) => [term.textContent, term.nextSibling?.textContent]));
};

/** Turns off adding new members by email address alone. */
async function addressesAloneAreNotEnough() {
  await user.click(await screen.findByRole('tab', { name: 'CSV file' }));
  await user.click(screen.getByRole('switch', { name: 'Add people with only an email address' }));
}

async function takeFile(text: BlobPart, name = 'people.csv') {
  await user.click(await screen.findByRole('tab', { name: 'CSV file' }));
  const file = new File([text], name, { type: 'text/csv' });
  await user.upload(screen.getByLabelText('CSV file', { selector: 'input' }), file);
}

// This test must be first, because the first render in a test file uses StrictMode.
test('keeps the addresses after the session ends until the same user returns', { tags: 'whole' }, async () => {
  await open();
  await choose('Mobile');
  await paste('ada.berg@acme.test bo.ek@acme.test');
  act(endSession);
  await screen.findByText('Signed out');
  const again = await portal.signIn(ADMIN);
  act(() => startSession(again));
  await screen.findByRole('dialog', { name: 'Invite users' });
  await waitFor(() => expect(tags()).toHaveLength(2));
  screen.getByText('Your session ended, so we restored your unsaved changes. Save or discard them.');
  expect(screen.getByRole('radio', { name: 'Mobile', checked: true })).toBeTruthy();
});

// covers: spec 1.2.54, spec 1.5.8
test('requires a device type and an address', async () => {
  await open();
  await press('Invite');
  await waitFor(() => expect(screen.getAllByText('This field is required')).toHaveLength(2));
  await choose('Mobile');
  expect(screen.getAllByText('This field is required')).toHaveLength(1);
  await user.click(screen.getByRole('tab', { name: 'CSV file' }));
  await press('Invite');
  await waitFor(() => expect(screen.getAllByText('This field is required')).toHaveLength(1));
});

test('shows the reason for an app that the organisation has disabled', async () => {
  await changeOrgLoginOptions(portal, { desktopAppEnabled: false });
  await open();
  await screen.findByText('Disabled for the whole organisation.');
  const desktop = screen.getByRole<HTMLInputElement>('radio', { name: 'Desktop' });
  expect(desktop.getAttribute('aria-disabled')).toBe('true');
  await user.click(desktop);
  expect(desktop.checked).toBe(false);
  await choose('Mobile');
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Mobile' }).checked).toBe(true);
});

test('turns a pasted list into tags, and blocks sending if an address is invalid', async () => {
  await open();
  await choose('Mobile');
  await paste('user@acme.test, nobody; manager@acme.test\nUSER@acme.test');
  expect(tags().map((tag) => tag.textContent)).toEqual(['user@acme.test', 'nobody', 'manager@acme.test']);
  expect(screen.getByText('Please enter a valid email address')).toBeTruthy();
  expect(
    within(tags()[1] ?? document.body).getByRole('img', { name: 'Please enter a valid email address' }),
  ).toBeTruthy();
  await press('Invite');
  expect(screen.getByRole('button', { name: 'Invite' })).toBeTruthy();
  await press('Remove nobody');
  expect(screen.queryByText('Please enter a valid email address')).toBeNull();
});

test('focuses and removes tags by keyboard', { tags: 'whole' }, async () => {
  await open();
  await user.type(addresses(), 'a@x.test,b@x.test c@x.test{Enter}');
  expect(tags()).toHaveLength(3);
  act(() => addresses().focus());
  await user.keyboard('{Backspace}');
  const named = () => (document.activeElement as HTMLElement).getAttribute('aria-label');
  expect(named()).toBe('Remove c@x.test');
  await user.keyboard('{ArrowLeft}');
  expect(named()).toBe('Remove b@x.test');
  await user.keyboard('{Delete}');
  expect(tags().map((tag) => tag.textContent)).toEqual(['a@x.test', 'c@x.test']);
  expect(named()).toBe('Remove c@x.test');
  await user.keyboard('{ArrowRight}');
  expect(document.activeElement).toBe(addresses());
});

test('reports more addresses than allowed', { tags: 'whole' }, async () => {
  await open();
  await paste(Array.from({ length: INVITE_EMAILS_MAX + 2 }, (_, at) => `p${at}@x.test`).join('\n'));
  expect(tags()).toHaveLength(INVITE_EMAILS_MAX);
  expect(screen.getByText(/^2 more didn't fit/)).toBeTruthy();
});

// covers: spec 1.1.5, spec 1.4.31
test('invites members by email and lists unknown addresses', async () => {
  await open();
  await choose('Desktop');
  await paste('helpdesk.admin@acme.test nobody@acme.test');
  await user.click(await screen.findByRole('radio', { name: 'Skip' }));
  await press('Invite');
  await screen.findByText('1 user not found');
  const table = within(screen.getByRole('table', { name: "Users who weren't invited" }));
  expect(table.getAllByRole('row').map((row) => row.textContent)).toEqual([
    '#UserStatusReason',
    expect.stringMatching(/^1nobody@acme\.testRejected/),
  ]);
  expect(counts()).toMatchObject({ Failed: '1' });
});

// covers: spec 1.1.5
test('invites, creates and emails the members in a file', async () => {
  await open();
  await choose('Mobile');
  await addressesAloneAreNotEnough();
  await takeFile('email;firstName;lastName;employeeId\r\nnew@acme.test;Ada;Berg;E-777001\r\nnobody@x.test;;;\r\n');
  await within(await preview()).findByText("1 new person · 1 can't be invited");
  await press('Invite 1 of 2');
  await screen.findByText("Some users weren't invited");
  expect(screen.getByText('1 user not found')).toBeTruthy();
  expect(counts()).toMatchObject({ Invited: '1', 'New members': '1', Failed: '1' });
  expect(screen.getByText(/^New form in \d s$/)).toBeTruthy();
  const { messages } = (await portal.call(readOutbox, { query: { to: 'new@acme.test' } })).body;
  expect(messages).toHaveLength(1);

  await press('Keep result');
  expect(screen.queryByText(/^A new form in/)).toBeNull();
  await press('Invite more');
  expect(screen.getByRole('radio', { name: 'Mobile', checked: false })).toBeTruthy();
});

test('creates no duplicates when a file is uploaded again', { tags: 'whole' }, async () => {
  await open();
  for (const verdict of ['All users were invited', 'No one needed an invitation']) {
    await choose('Mobile');
    await takeFile('new@acme.test,Ada,Berg,E-777001\n');
    // New people are previewed before the upload.
    await screen.findAllByText(/new@acme\.test/);
    await press('Invite');
    await screen.findByText(verdict);
    await press('Invite more');
  }
});

test('sends no email if the switch is off', { tags: 'whole' }, async () => {
  await open();
  await choose('Mobile');
  await user.click(screen.getByRole('switch', { name: 'Send email' }));
  await takeFile('new@acme.test,Ada,Berg,E-777001\n');
  await press('Invite');
  await screen.findByText('All users were invited');
  expect((await portal.call(readOutbox, { query: { to: 'new@acme.test' } })).body.messages).toEqual([]);
});

// covers: spec 1.5.9
test('rejects a file of another type or above the size limit, then accepts another', async () => {
  await open();
  await takeFile('x', 'people.xlsx');
  expect(screen.getByText('Only CSV files are allowed')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'File not supported. Retry' })).toBeTruthy();

  const large = Object.defineProperty(new File(['x'], 'people.csv'), 'size', { value: LIMITS.csvUploadBytes + 1 });
  await user.upload(screen.getByLabelText('CSV file', { selector: 'input' }), large);
  expect(screen.getByText('File is larger than 50 MB')).toBeTruthy();

  await takeFile('x@x.test', 'PEOPLE.CSV');
  expect(screen.getByText('PEOPLE.CSV')).toBeTruthy();
  expect(screen.queryByText('File is larger than 50 MB')).toBeNull();
  await press('Remove PEOPLE.CSV');
  expect(screen.getByRole('button', { name: 'Choose a file' })).toBeTruthy();
});

// covers: spec 1.5.10
test('accepts a dropped file', async () => {
  await open();
  await user.click(await screen.findByRole('tab', { name: 'CSV file' }));
  const zone = () => screen.getByText('CSV up to 50 MB').parentElement ?? document.body;
  drag('dragenter', zone());
  expect(screen.getByText('Drop the file here')).toBeTruthy();
  drag('drop', zone(), new File(['a@x.test'], 'people.csv'));
  expect(screen.getByText('people.csv')).toBeTruthy();
  expect(screen.getByText('8 Bytes')).toBeTruthy();
});

// covers: spec 1.8.15
test('blocks a file that is CSV in name only', async () => {
  await open();
  await choose('Mobile');
  await takeFile(new Uint8Array([80, 75, 3, 4, 0, 0]));
  await press('Invite');
  await screen.findByText('File format not supported');
  screen.getByText(/Save spreadsheets as “CSV UTF-8”\.$/);
});

test('rejects a file without rows with a message, and keeps the form', { tags: 'whole' }, async () => {
  await open();
  await choose('Mobile');
  await takeFile('email,firstName,lastName,primaryAttr\n');
  await screen.findByText('This file contains only a header row.');
  expect(screen.queryByRole('region', { name: 'Invitees' })).toBeNull();
  await press('Invite');
  await screen.findByText('Failed to upload file. Please try again');
  expect(screen.getByText('This file contains only a header row.')).toBeTruthy();
  await press('Retry');
  expect(screen.getByText('people.csv')).toBeTruthy();
  await takeFile('\n\n');
  await screen.findByText('This upload is empty.');
  await takeFile('mara.lindholm@acme.test');
  await within(await preview()).findByText('1 existing member');
  expect(screen.queryByText('This upload is empty.')).toBeNull();
});

test.each([
  ['Windows-1252', (text: string) => Uint8Array.from(text, (sign) => sign.charCodeAt(0)), /Windows-1252/],
  ['UTF-16', (text: string) => Uint16Array.from(`\uFEFF${text}`, (sign) => sign.charCodeAt(0)), /UTF-16/],
])(
  'reads a file in %s and reports the encoding in the preview',
  { tags: 'whole' },
  async (_encoding, encoded, note) => {
    await open();
    await choose('Mobile');
    await takeFile(encoded('email,firstName,lastName,primaryAttr\nzoe@acme.test,Zoë,Weiß,N-1\n'));
    await within(await preview()).findByText(/Zoë Weiß/);
    screen.getByText(note);
    await press('Invite');
    await screen.findByText('All users were invited');
  },
);

test('counts a repeated person as a duplicate before the upload and in the result', { tags: 'whole' }, async () => {
  await open();
  await choose('Mobile');
  const person = 'zoe@acme.test,Zoë,Weiß,N-1';
  await takeFile(`email,firstName,lastName,primaryAttr\n${person}\n${person}\n`);
  const shown = within(await preview());
  await shown.findByText('1 new person · 1 duplicate row');
  expect(shown.getAllByRole('listitem').at(-1)?.textContent).toBe(
    'zoe@acme.testLine 3 · Zoë Weiß · Duplicate of line 2.Duplicate',
  );
  await press('Invite');
  await screen.findByText('All users were invited');
  expect(counts()).toEqual({ Invited: '1', 'New members': '1', Duplicates: '1', Failed: '0' });
});

// covers: spec 1.4.31, spec 1.8.15
test('shows an error if a request fails, and retries', async () => {
  await portal.lab.fault({ method: 'POST', path: '/user/invite' });
  await open();
  await choose('Mobile');
  await paste('user@acme.test');
  await press('Invite');
  await screen.findByText('Something went wrong!');
  await press('Retry');
  expect(tags()).toHaveLength(1);
});

test('asks for confirmation before stopping an upload', { tags: 'whole' }, async () => {
  // The upload stays in progress until the server replies.
  await portal.lab.fault({ method: 'POST', path: '/user/bulkinvite', delayMs: 30_000 });
  await open();
  await choose('Mobile');
  await takeFile('a@x.test\n');
  await press('Invite');
  await screen.findByRole('progressbar', { name: 'Upload' });
  await press('Close');
  await press('Keep going');
  await press('Cancel');
  await press('Stop upload');
  await screen.findByText('The upload was stopped');
  await press('Done');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('explains on a small screen that inviting requires a desktop', async () => {
  stubWindowWidth(390);
  await visitSignedIn(portal, ADMIN, '/dashboard?modal=invite', <h1>Dashboard</h1>);
  await screen.findByText('Admin features are available only on Desktop');
});

test('reports the missing permission to invite', async () => {
  await open('user@acme.test');
  expect(screen.getByText("You don't have permission for this")).toBeTruthy();
});

const preview = () => screen.findByRole('region', { name: 'Invitees' });

// covers: spec 1.1.7
test('previews new people before anything is sent, then adds them', async () => {
  await open();
  await choose('Mobile');
  await paste('mara.lindholm@acme.test ada.berg@acme.test bo.ek@acme.test omar.hassan@acme.test');
  const shown = within(await preview());
  await shown.findByText("1 existing member · 2 new people · 1 can't be invited");
  expect(shown.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    expect.stringMatching(/^omar\.hassan@acme\.test.+Can't be invited$/),
    'ada.berg@acme.testNew',
    'bo.ek@acme.testNew',
    'mara.lindholm@acme.testMember',
  ]);
  await user.click(screen.getByRole('button', { name: 'Remove omar.hassan@acme.test' }));
  await press('Invite');
  await screen.findByText('All users were invited');
  expect(counts()).toMatchObject({ Invited: '3', 'New members': '2' });
  const { messages } = (await portal.call(readOutbox, { query: { to: 'ada.berg@acme.test' } })).body;
  expect(messages).toHaveLength(1);
});

test('previews new people on the first press, and adds them on the second', async () => {
  await open();
  await choose('Mobile');
  await user.type(addresses(), 'ada.berg@acme.test');
  await press('Invite');
  await screen.findByRole('radio', { name: 'Add as a new person' });
  expect((await portal.call(readOutbox, { query: { to: 'ada.berg@acme.test' } })).body.messages).toEqual([]);
  await waitFor(() => expect(screen.getByRole('button', { name: 'Invite' })).toBeTruthy());
  await press('Invite');
  await screen.findByText('All users were invited');
});

test("previews a file's columns and the outcome of each row before the upload", async () => {
  await open();
  await choose('Mobile');
  await addressesAloneAreNotEnough();
  const rows = ['N-1;Ek;zoe@acme.test;Zoë', ';;mara.lindholm@acme.test;', ';;nobody@acme.test;'];
  await takeFile(['Nummer;Nachname;E-Mail;Vorname', ...rows].join('\n'));
  const shown = within(await preview());
  await shown.findByText("1 existing member · 2 can't be invited");
  const column = (name: string) => screen.getByRole<HTMLSelectElement>('combobox', { name: `Column ${name}` });
  expect(column('E-Mail').value).toBe('email');
  await user.selectOptions(column('Nummer'), 'Employee ID');
  await user.selectOptions(column('Nachname'), 'Last Name');
  await user.selectOptions(column('Vorname'), 'First Name');
  await shown.findByText("1 existing member · 1 new person · 1 can't be invited");
  expect(shown.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    expect.stringMatching(/^nobody@acme\.testLine 4 · No member has this address\..+Can't be invited$/),
    'zoe@acme.testLine 2 · Zoë EkNew',
    'mara.lindholm@acme.testLine 3Member',
  ]);
  expect((await portal.call(readOutbox, { query: { to: 'zoe@acme.test' } })).body.messages).toEqual([]);
  await press('Invite 2 of 3');
  await screen.findByText("Some users weren't invited");
  expect(counts()).toMatchObject({ Invited: '2', 'New members': '1', Failed: '1' });
});

test("shows a file's outcome next to the submit button, even before a device type is chosen", async () => {
  await open();
  await takeFile('mara.lindholm@acme.test\nada.berg@acme.test\nanna@acme');
  const verdict = "1 existing member · 1 new person · 1 can't be invited";
  await within(await preview()).findByText(verdict);
  const button = screen.getByRole('button', { name: 'Invite 2 of 3' });
  const footer = within(button.parentElement ?? document.body);
  footer.getByText(/^1 existing member · 1 new person/);
  footer.getByText("1 can't be invited");
  footer.getByText('Choose a device type to invite these people.');
  await user.click(button);
  await screen.findByText('This field is required');
  await choose('Mobile');
  await waitFor(() => expect(footer.queryByText('Choose a device type to invite these people.')).toBeNull());
  await press('Invite 2 of 3');
  await screen.findByText("Some users weren't invited");
  expect(counts()).toMatchObject({ Invited: '2', 'New members': '1', Failed: '1' });
});

test('blocks uploading a file with two unrecognised address columns until one is chosen', {
  tags: 'whole',
}, async () => {
  await open();
  await choose('Mobile');
  await takeFile('Vorname,Sähköposti,Surname,Chef\nMara,mara.lindholm@acme.test,Lindholm,boss@acme.test');
  await screen.findByText('Choose the column with the email addresses');
  await press('Invite');
  expect(screen.queryByText('All users were invited')).toBeNull();
  await user.selectOptions(screen.getByRole('combobox', { name: 'Column Sähköposti' }), 'Email');
  await within(await preview()).findByText('1 existing member');
  expect(screen.queryByText('Choose the column with the email addresses')).toBeNull();
  await press('Invite');
  await screen.findByText('All users were invited');
});

test("displays a file's errors on the first press, and uploads it on the second", {
  tags: 'whole',
}, async () => {
  await portal.lab.fault({ method: 'POST', path: '/user/bulkinvite/check' });
  await open();
  await choose('Mobile');
  await takeFile('mara.lindholm@acme.test\nomar.hassan@acme.test');
  await waitFor(async () => expect((await portal.lab.faults()).faults).toEqual([]));
  await press('Invite');
  await within(await preview()).findByText("1 existing member · 1 can't be invited");
  await press('Invite 1 of 2');
  await screen.findByText("Some users weren't invited");
});
