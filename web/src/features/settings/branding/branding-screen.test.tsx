import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { getOrgSettings } from '@orchestrate/shared';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closePage, visitSignedIn } from '#layout/testing.tsx';
import { fill, user } from '#testing.ts';
import BrandingScreen from './branding-screen.tsx';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
  await visitSignedIn(portal, 'super.admin@acme.test', '/org-settings/branding', <BrandingScreen />);
});
afterEach(() => closePage(portal));

const saved = async () => (await portal.call(getOrgSettings, { query: { code: 'acme' } })).body;
const type = async (name: string, value: string) => {
  const input = await screen.findByRole('textbox', { name });
  await fill(input, value);
  await user.tab();
};
const choose = (file: File) => user.upload(screen.getByLabelText('Logo', { selector: 'input' }), file);
const press = async (name: string) => user.click(await screen.findByRole('button', { name }));
const preview = () => within(screen.getByRole('img', { name: 'Preview of the sign-in page on a desktop' }));

// covers: spec 2.2.41
test('previews the input and changes the sign-in page on save', async () => {
  await type('Title', 'Welcome to Acme');
  await type('Colour', '#0B1F4D');
  expect(preview().getByText('Welcome to Acme')).toBeTruthy();
  screen.getByText(/^Low contrast on dark pages/);
  await press('Save');
  await screen.findByText('Branding saved');
  expect(await saved()).toMatchObject({ title: 'Welcome to Acme', color: '#0B1F4D' });
});

test('shows an error under an invalid colour', { tags: 'whole' }, async () => {
  await type('Colour', 'navy');
  await screen.findByText('Enter a colour as # followed by six hexadecimal digits');
});

// covers: spec 2.8.7
test('saves the other details if the logo is invalid', async () => {
  await type('Title', 'Welcome');
  await choose(new File(['no picture'], 'logo.png', { type: 'image/png' }));
  await press('Save');
  await screen.findByText('Image upload failed. Other details have been saved');
  await screen.findByText('The content of this file does not match its name');
  expect(await saved()).toMatchObject({ title: 'Welcome', logo: null });
});

test('previews a logo as it will be served and lists what was removed', async () => {
  await screen.findByRole('textbox', { name: 'Title' });
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><style>@import "a.css";.a{fill:red}</style><rect class="a" width="20" height="10"/></svg>';
  await choose(new File([svg], 'logo.svg', { type: 'image/svg+xml' }));
  await screen.findByText(/^Removed from this file: onload, @import\./);
  const shown =
    preview()
      .getByAltText((await saved()).name)
      .getAttribute('src') ?? '';
  const served =
    '<svg xmlns="http://www.w3.org/2000/svg"><style>.a{fill:red}</style><rect class="a" width="20" height="10"></rect></svg>';
  expect(shown).toBe(`data:image/svg+xml;base64,${btoa(served)}`);
});

test('lists what was removed from a logo saved before its check has finished', async () => {
  await screen.findByRole('textbox', { name: 'Title' });
  await portal.lab.fault({ match: { method: 'POST', path: '/api/org/settings/logo/check' }, answer: { hang: true } });
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><rect width="20" height="10"/></svg>';
  await choose(new File([svg], 'logo.svg', { type: 'image/svg+xml' }));
  await press('Save');
  await screen.findByText('Branding saved');
  await screen.findByText(/^Removed from this file: onload\./);
  await press('Remove logo');
  expect(screen.queryByText(/^Removed from this file/)).toBeNull();
});

test("explains before saving why a file can't be used as a logo", async () => {
  await screen.findByRole('textbox', { name: 'Title' });
  await choose(new File(['<svg'], 'logo.svg', { type: 'image/svg+xml' }));
  await screen.findByText('This SVG is not well-formed (line 1)');
});

test('saves, shows and removes a logo', async () => {
  await screen.findByRole('textbox', { name: 'Title' });
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10"><rect width="20" height="10"/></svg>';
  await choose(new File([svg], 'logo.svg', { type: 'image/svg+xml' }));
  await press('Save');
  await press('Remove logo');
  expect((await saved()).logo).toContain('/logos/acme');
  await press('Save');
  await waitFor(async () => expect((await saved()).logo).toBeNull());
});
