import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closePage, visitSignedIn } from '#layout/testing.tsx';
import { indentXml } from '#lib/format/text.ts';
import { fill, user } from '#testing.ts';
import ApplicationScreen from '../editor/application-screen.tsx';
import TestSignInResultScreen from './test-sign-in-result-screen.tsx';

const ADMIN = 'super.admin@acme.test';
const USER = 'user@acme.test';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => closePage(portal));

const visitPath = (path: string) =>
  visitSignedIn(
    portal,
    ADMIN,
    path,
    <Routes>
      <Route path="/applications/:appId/try/:tryId" element={<TestSignInResultScreen />} />
      <Route path="/applications/:appId/*" element={<ApplicationScreen />} />
    </Routes>,
  );
const openPreview = async (name: string) =>
  user.click(await screen.findByRole('button', { name: new RegExp(`^Data sent to ${name}`) }));

test('previews the data sent to the application for the user and for another member', async () => {
  await visitPath('/applications/team-wiki/configuration');
  await openPreview('Team Wiki');
  const table = await screen.findByRole('table', { name: 'Claims' });
  expect(within(table).getByRole('row', { name: `email ${ADMIN} email` })).toBeTruthy();
  await fill(screen.getByRole('searchbox', { name: 'Choose another member' }), USER);
  await user.click(await screen.findByRole('button', { name: new RegExp(USER) }));
  await screen.findByRole('row', { name: `email ${USER} email` });
  expect(screen.getByRole('group', { name: 'ID token' }).textContent).toContain(`"email": "${USER}"`);
});

test("previews a SAML application's name ID, attributes and unsigned response", { tags: 'whole' }, async () => {
  await visitPath('/applications/travel-desk/configuration');
  await openPreview('Travel Desk');
  const table = await screen.findByRole('table', { name: 'Attributes' });
  expect(within(table).getByRole('row', { name: /^Name ID/ })).toBeTruthy();
  const xml = screen.getByRole('group', { name: 'SAML response' }).textContent;
  expect(xml).toContain('\n  <saml:Assertion ');
  expect(xml).not.toContain('Signature');
});

test('checks and previews a template while it is being typed', async () => {
  await visitPath('/applications/travel-desk/configuration');
  await openPreview('Travel Desk');
  const template = await screen.findByRole('textbox', { name: 'Name ID transformation template' });
  await fill(template, '${firstName|upper}-${suid');
  await screen.findByText('Unclosed ${');
  await screen.findByText('Uses the saved settings, because your changes above are incomplete.');
  await fill(template, '${firstName|upper} of the desk');
  await screen.findByRole('row', { name: /^Name ID AVERY of the desk/ });
  expect(screen.queryByText('Unclosed ${')).toBeNull();
  screen.getByText('Includes your unsaved changes above.');
  await fill(template, '');
  await waitFor(() => expect(screen.queryByText(/By what is typed above/)).toBeNull());
});

test('tests only saved settings', { tags: 'whole' }, async () => {
  await visitPath('/applications/team-wiki/name-&-description');
  const tryIt = await screen.findByRole('button', { name: 'Test sign-in' });
  expect(tryIt.getAttribute('aria-disabled')).toBeNull();
  await fill(await screen.findByRole('textbox', { name: /^App name/ }), 'Wiki');
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Test sign-in' }).getAttribute('aria-disabled')).toBe('true'),
  );
});

test("reports a test sign-in that doesn't exist", async () => {
  await visitPath('/applications/team-wiki/try/nothing');
  await screen.findByRole('heading', { name: "This test doesn't exist" });
});

test('indents XML by depth', () => {
  expect(indentXml('<a><b c="1"/><d>text</d><e><f/></e></a>')).toBe(
    '<a>\n  <b c="1"/>\n  <d>text</d>\n  <e>\n    <f/>\n  </e>\n</a>',
  );
});
