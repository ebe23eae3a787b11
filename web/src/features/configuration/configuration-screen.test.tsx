import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { createRole, getOrgSettings, listRoles } from '@orchestrate/shared';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closePage, visitSignedIn } from '#layout/testing.tsx';
import { paths } from '#paths.ts';
import { user } from '#testing.ts';
import ConfigurationScreen from './configuration-screen.tsx';

let portal: TestPortal;
let token: string;
beforeEach(async () => {
  portal = await testPortal();
  ({ token } = await visitSignedIn(portal, 'super.admin@acme.test', paths.configurationFile, <ConfigurationScreen />));
});
afterEach(() => closePage(portal));

const FILE = `organisations:
  - code: acme
    branding: { color: "#aa0011" }
    roles:
      - { code: NIGHT, name: Night shift, permissions: [SEARCH_USER] }
`;
const press = async (name: string) => user.click(await screen.findByRole('button', { name }));
const choose = async (text: string, name = 'acme.yaml') =>
  user.upload(screen.getByLabelText('Configuration file', { selector: 'input' }), new File([text], name));
const colour = async () => (await portal.call(getOrgSettings, { query: { code: 'acme' } })).body.color;
const roles = async () => (await portal.call(listRoles, {}, { token })).body.Items.map(({ name }) => name);

test('compares a file, shows its changes and imports it', async () => {
  await choose(FILE);
  const changes = within(await screen.findByRole('list', { name: 'Planned changes' }));
  const branding = within(changes.getByRole('table', { name: 'Planned changes: Branding' }));
  expect(branding.getByRole('row', { name: /^Colour #FACC15 #aa0011$/ })).toBeDefined();
  changes.getByRole('heading', { name: 'Night shift' });
  changes.getByText('New');
  expect(await colour(), 'nothing is saved yet').toBe('#FACC15');
  screen.getByRole('heading', { name: 'Unchanged (not in the file)' });

  await press('Import 2 changes');
  await screen.findByText('2 changes imported');
  expect([await colour(), await roles()]).toEqual(['#aa0011', expect.arrayContaining(['Night shift'])]);
  expect(screen.queryByRole('list', { name: 'Planned changes' })).toBeNull();
  const activity = screen.getByRole('link', { name: 'Activity' });
  expect(activity.getAttribute('href')).toBe(paths.activity);
  await choose(FILE);
  await screen.findAllByText('Nothing would change. Your organisation already matches the file.');
  expect(screen.queryByRole('button', { name: /^Import/ })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Activity' })).toBeNull();
});

test('names emails as on the email screen, each with its language', async () => {
  const words = 'subject: A, body: B';
  await choose(`organisations:
  - code: acme
    mailLanguage: de
    mails: [{ name: new-device, ${words} }, { name: new-device, language: de, ${words} }]
`);
  const changes = within(await screen.findByRole('list', { name: 'Planned changes' }));
  const names = changes.getAllByRole('heading').map(({ textContent }) => textContent);
  expect(names).toEqual(['Email language', 'New device', 'New device in German']);
  const language = within(changes.getByRole('table', { name: 'Planned changes: Email language' }));
  language.getByRole('row', { name: 'Language English German' });
});

test('shows an FAQ answer as plain text without markup', { tags: 'whole' }, async () => {
  await choose(`organisations:
  - code: acme
    faq:
      - name: Money
        subcategories:
          - name: Expenses
            records: [{ question: Who pays?, answer: '<p>We <strong>do</strong>.</p><ul><li>By Friday</li></ul>' }]
`);
  const table = within(await screen.findByRole('table', { name: 'Planned changes: Who pays?' }));
  table.getByText('We do. By Friday');
});

test('shows errors with their lines and blocks the import', async () => {
  await choose(FILE.replace('"#aa0011"', 'reddish').replace('SEARCH_USER', 'FLY'));
  const list = within(await screen.findByRole('list', { name: 'Mistakes' }));
  expect(list.getAllByText(/^Line/).map(({ textContent }) => textContent)).toEqual(['Line 3', 'Line 5']);
  screen.getByRole('alert');
  expect(screen.queryByRole('button', { name: /^Import/ })).toBeNull();
  await choose(FILE);
  await screen.findByRole('button', { name: 'Import 2 changes' });
});

test("shows the new differences instead of overwriting someone else's changes", { tags: 'whole' }, async () => {
  await choose(FILE);
  await screen.findByRole('button', { name: 'Import 2 changes' });
  const body = { name: 'Night shift', permissions: [] };
  await portal.call(createRole, { body }, { token });
  await press('Import 2 changes');
  await screen.findByText(/^Someone changed the configuration in the meantime/);
  expect(await colour()).toBe('#FACC15');
  await screen.findByText('A role already has this name');
});

test.each([
  ['an empty string', ''],
  ['a byte order mark', '\ufeff'],
  ['whitespace', ' \n\n'],
])('reports a file containing only %s as empty', { tags: 'whole' }, async (_, text) => {
  await choose(text);
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('The file is empty'));
});

test("explains next to a file why it can't be sent, and retries", { tags: 'whole' }, async () => {
  await portal.lab.fault({ match: { path: '/api/org/configuration/check' }, answer: { status: 503 }, times: 1 });
  await choose(FILE);
  await waitFor(() =>
    expect(screen.getByRole('group', { name: 'Configuration file' }).textContent).toMatch(/Something went wrong/),
  );
  await press('Retry');
  await screen.findByRole('button', { name: 'Import 2 changes' });
});
