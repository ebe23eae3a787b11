import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { OLD_CERTIFICATE } from '@orchestrate/server/testing/metadata';
import { createIdpCertificate, createRole, getApp, updateSamlApp, updateUser } from '@orchestrate/shared';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { changeOrgLoginOptions, closePage, visitSignedIn } from '#layout/testing.tsx';
import { NavigationGuard } from '#lib/leaving/navigation-guard.tsx';
import { fill, user } from '#testing.ts';
import SamlCreateScreen from './create/saml-create-screen.tsx';
import ApplicationScreen from './editor/application-screen.tsx';
import IdpConfigurationScreen from './idp/idp-configuration-screen.tsx';
import ApplicationsScreen from './list/applications-screen.tsx';

const ADMIN = 'super.admin@acme.test';
const METADATA_PATH = '/api/orgs/:orgCode/apps/saml/metadata';
const METADATA = `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://hr.acme.test/saml">
  <md:SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://hr.acme.test/acs" index="0" isDefault="true"/>
  </md:SPSSODescriptor>
</md:EntityDescriptor>`;

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
  sessionStorage.clear();
});
afterEach(() => closePage(portal));

const screens = (
  <NavigationGuard>
    <Routes>
      <Route path="/applications" element={<ApplicationsScreen />} />
      <Route path="/applications/saml/create/*" element={<SamlCreateScreen />} />
      <Route path="/applications/:appId/*" element={<ApplicationScreen />} />
      <Route path="/org-settings/idp-configuration" element={<IdpConfigurationScreen />} />
    </Routes>
  </NavigationGuard>
);
const visitApps = (path: string) => visitSignedIn(portal, ADMIN, path, screens);

const field = (name: string | RegExp) => screen.findByRole<HTMLInputElement>('textbox', { name });
const typeIn = async (input: HTMLElement, value: string) => {
  await fill(input, value);
  await user.tab();
};
const type = async (name: string | RegExp, value: string) => typeIn(await field(name), value);
const button = (name: string) => screen.findByRole<HTMLButtonElement>('button', { name });
const press = async (name: string) => user.click(await button(name));
const upload = async (text: BlobPart, name = 'metadata.xml') => {
  const input = await screen.findByLabelText('SP metadata', { selector: 'input' });
  await user.upload(input, new File([text], name));
};
const preview = () => screen.findByRole('group', { name: 'Metadata contents' });
/** Attribute inputs suggest values, so their role is combobox. */
const attribute = (at: number) => screen.findByRole<HTMLInputElement>('combobox', { name: `Attribute ${at}` });

async function beginSaml(name: string) {
  await visitApps('/applications?modal=create-saml');
  await type(/^App name/, name);
  await press('Submit');
}

// covers: spec 2.2.19, spec 2.2.24, spec 2.2.25, spec 2.2.28
test('creates a SAML application from its name, its metadata and the defaults', async () => {
  await beginSaml('People HR');
  await screen.findByRole('heading', { name: 'People HR / SAML' });
  expect(window.location.pathname).toBe('/applications/saml/create/configuration');
  expect(screen.queryByRole('button', { name: 'Delete app' })).toBeNull();
  expect((await attribute(1)).value).toBe('primaryEmail');
  await upload(METADATA);
  expect((await preview()).textContent).toContain('https://hr.acme.test/acs');
  expect((await button('Submit')).disabled).toBe(false);

  await press('Submit');
  await waitFor(async () => expect((await field('Redirect URL')).getAttribute('aria-invalid')).toBe('true'));
  expect((await button('Submit')).disabled).toBe(true);
  await type('Redirect URL', 'https://hr.acme.test/');
  await waitFor(async () => expect((await button('Submit')).disabled).toBe(false));
  await press('Submit');
  await screen.findByText('Application created');
  await button('Delete app');
  expect(window.location.pathname).toBe('/applications/people-hr/configuration');
  expect(sessionStorage).toHaveLength(0);
});

test('asks for confirmation before leaving, even if only the name was entered', async () => {
  await beginSaml('People HR');
  await screen.findByRole('heading', { name: 'People HR / SAML' });
  await user.click(screen.getByRole('link', { name: 'Back to applications' }));
  const question = within(await screen.findByRole('alertdialog', { name: 'Save your changes?' }));
  await user.click(question.getByRole('button', { name: 'Save' }));
  await waitFor(async () => expect((await field('Redirect URL')).getAttribute('aria-invalid')).toBe('true'));
  await press('Cancel');
  await screen.findByRole('heading', { name: 'Applications' });
  expect(sessionStorage).toHaveLength(0);
});

// covers: spec 2.5.10
test("explains why a file isn't metadata, and accepts another file", async () => {
  await beginSaml('People HR');
  await upload('<md:EntityDescriptor/>');
  expect((await screen.findAllByRole('alert')).length).toBeGreaterThan(0);
  await press('Remove metadata.xml');
  await upload('x', 'metadata.txt');
  await screen.findByText('Only XML files are allowed');
  await upload(METADATA);
  await preview();
});

test('offers a choice for a file with several service providers', async () => {
  await beginSaml('People HR');
  const other = METADATA.replaceAll('hr.acme.test', 'pay.acme.test');
  const names = 'xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata"';
  await upload(`<md:EntitiesDescriptor ${names}>${METADATA}${other}</md:EntitiesDescriptor>`);
  await screen.findByText('This metadata describes 2 service providers. Choose one.');
  const choice = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Service provider' });
  expect([...choice.options].map(({ value }) => value)).toEqual([
    '',
    'https://hr.acme.test/saml',
    'https://pay.acme.test/saml',
  ]);
  await user.selectOptions(choice, 'https://pay.acme.test/saml');
  const shown = (await preview()).textContent;
  expect(shown).toContain('https://pay.acme.test/acs');
  expect(shown).not.toContain('https://hr.acme.test');
});

test('shows which addresses differ, rather than XML, when two people edit metadata', async () => {
  await visitApps('/applications/travel-desk/configuration');
  await press('Replace');
  await upload(METADATA);
  await preview();
  const { token } = await portal.signIn(ADMIN);
  const path = { params: { orgCode: 'acme', appId: 'travel-desk' } };
  const theirs = METADATA.replace('/acs', '/their-acs');
  await portal.call(updateSamlApp, { ...path, body: { metadata: theirs } }, { token });
  await press('Submit');
  const dialog = await screen.findByRole('dialog', { name: /changed this while you were editing$/ });
  const lines = within(dialog)
    .getAllByRole('listitem')
    .map((line) => line.textContent);
  expect(lines).toEqual([
    'Entity ID: https://hr.acme.test/saml',
    'Sign-in address: https://hr.acme.test/their-acs',
    'Entity ID: https://hr.acme.test/saml',
    'Sign-in address: https://hr.acme.test/acs',
  ]);
  expect(dialog.textContent).not.toContain('<md:');
});

test('warns if a persistent name ID is an email address', { tags: 'whole' }, async () => {
  await beginSaml('Names');
  await upload(METADATA);
  const choose = async (name: string, option: string) =>
    user.selectOptions(await screen.findByRole('combobox', { name: new RegExp(`^${name}`) }), option);
  const warning = () => screen.queryByText(/A persistent name ID must never change/);
  expect(warning()).toBeNull();
  await choose('Name ID format', 'persistent');
  expect(warning()).toBeTruthy();
  await choose('Name ID(?! format)', 'suid');
  expect(warning()).toBeNull();
  await type(/^Name ID transformation template/, 'acme-${primaryEmail|lower}');
  expect(warning()).toBeTruthy();
  await choose('Name ID format', 'emailAddress');
  expect(warning()).toBeNull();
});

// covers: spec 2.2.24
test('reports a taken name in the dialog', async () => {
  await beginSaml('TRAVEL desk');
  await screen.findByText('App name already exists');
  expect(window.location.pathname).toBe('/applications');
});

// covers: spec 2.2.24, spec 2.2.28
test("keeps the dialog's values after a reload until cancelled", async () => {
  const { profile } = await portal.signIn(ADMIN);
  const draft = { suid: profile.suid, name: 'HR', description: '', appId: 'hr' };
  sessionStorage.setItem('orchestrate.saml-form', JSON.stringify(draft));
  await visitApps('/applications/saml/create/configuration');
  await screen.findByRole('heading', { name: 'HR / SAML' });
  await press('Cancel');
  await screen.findByRole('heading', { name: 'Applications' });
  expect(sessionStorage).toHaveLength(0);
});

test("never shows the dialog's values to the next user of the tab", async () => {
  await beginSaml('HR');
  await screen.findByRole('heading', { name: 'HR / SAML' });
  await visitSignedIn(portal, 'security.admin@acme.test', '/applications/saml/create/configuration', screens);
  await waitFor(() => expect(window.location.pathname).toBe('/applications'));
  expect(sessionStorage.getItem('orchestrate.saml-form')).toBeNull();
});

// covers: security 14.3.1
test('removes an unfinished application from the tab on sign-out', async () => {
  await beginSaml('HR');
  await screen.findByRole('heading', { name: 'HR / SAML' });
  expect(sessionStorage.getItem('orchestrate.saml-form')).not.toBeNull();
  cleanup();
  await visitApps('/applications/saml/create/configuration?modal=logout');
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Logout' }));
  await user.click(dialog.getByRole('button', { name: 'Logout' }));
  await screen.findByRole('heading', { name: 'Signed out' });
  expect(sessionStorage).toHaveLength(0);
});

test("redirects to the list if the dialog's values are missing", async () => {
  await visitApps('/applications/saml/create/configuration');
  await screen.findByRole('heading', { name: 'Applications' });
});

// covers: spec 2.4.4
test('cancels a metadata replacement, and sends only replaced metadata', async () => {
  const { token } = await visitApps('/applications/travel-desk/configuration');
  expect((await preview()).textContent).toContain('https://travel.acme.test/saml/acs');
  await press('Replace');
  await press('Cancel upload');
  await preview();
  expect((await button('Submit')).disabled).toBe(true);

  await press('Replace');
  await upload(METADATA);
  await waitFor(async () => expect((await preview()).textContent).toContain('https://hr.acme.test/acs'));
  await press('Submit');
  await screen.findByText('App settings saved');
  const params = { orgCode: 'acme', appId: 'travel-desk' };
  const { app } = (await portal.call(getApp, { params }, { token })).body;
  expect(app.samlConfiguration).toMatchObject({
    serviceProvider: { entityId: 'https://hr.acme.test/saml' },
    redirectUrl: expect.stringContaining('travel.acme.test'),
  });
});

test("offers the identity provider's addresses and signing certificates to copy and download", {
  tags: 'whole',
}, async () => {
  const { token } = await visitApps('/applications/travel-desk/configuration');
  await screen.findByText(`${portal.url}/saml/acme/travel-desk/slo`);
  expect(await button('Copy Single logout URL')).toBeTruthy();
  const params = { orgCode: 'acme', appId: 'travel-desk' };
  const certificates = async () =>
    (await portal.call(getApp, { params }, { token })).body.app.samlConfiguration?.identityProvider.certificates ?? [];
  const [first] = await certificates();
  const one = within(screen.getByRole('group', { name: 'CN=acme identity provider' }));
  expect(one.getByText(first?.fingerprint ?? '')).toBeTruthy();
  expect(one.getByRole('button', { name: 'Copy Fingerprint' })).toBeTruthy();
  await user.click(one.getByRole('button', { name: 'Copy certificate' }));
  expect(await navigator.clipboard.readText()).toBe(first?.pem);
  const saved: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => `blob:${saved.push(blob as Blob)}`);
  await user.click(one.getByRole('button', { name: 'Download certificate' }));
  expect(saved[0]?.size).toBe(first?.pem.length);

  await portal.call(createIdpCertificate, { body: {} }, { token });
  await visitApps('/applications/travel-desk/configuration');
  await screen.findByRole('group', { name: 'CN=acme identity provider, in use' });
  expect(screen.getByRole('group', { name: 'CN=acme identity provider, still accepted' })).toBeTruthy();
});

test('encrypts assertions once the metadata contains an encryption key', { tags: 'whole' }, async () => {
  const { token } = await visitApps('/applications/travel-desk/configuration');
  await preview();
  await press('Replace');
  await upload(METADATA);
  await waitFor(async () => expect((await preview()).textContent).toContain('https://hr.acme.test/acs'));
  await user.click(await screen.findByRole('switch', { name: /^Encrypt assertions/ }));
  await press('Submit');
  await screen.findByText(/contains no RSA key for encryption/);
  const isEncrypting = async () => {
    const params = { orgCode: 'acme', appId: 'travel-desk' };
    return (await portal.call(getApp, { params }, { token })).body.app.samlConfiguration?.encryptAssertions;
  };
  expect(await isEncrypting()).toBe(false);

  await press('Replace');
  const KEY = `<md:KeyDescriptor use="encryption"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${OLD_CERTIFICATE}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`;
  await upload(METADATA.replace('<md:Assertion', `${KEY}<md:Assertion`));
  await waitFor(async () => expect((await preview()).textContent).toContain('CN=old.example'));
  await press('Submit');
  await screen.findByRole('heading', { name: 'Applications' });
  expect(await isEncrypting()).toBe(true);
});

test('accepts a service provider entered manually', { tags: 'whole' }, async () => {
  await visitApps('/applications/travel-desk/configuration');
  await press('Replace');
  await user.click(await screen.findByRole('tab', { name: 'Manually' }));
  await type('Entity ID', 'urn:hr');
  await type('Assertion consumer service URL', 'javascript:alert(1)');
  await press('Use these values');
  await screen.findByText(/^Use https/);
  await type('Assertion consumer service URL', 'https://hr.acme.test/acs');
  await press('Use these values');
  expect((await preview()).textContent).toContain('urn:hr');
});

test('includes manual entries when the form is submitted, and marks missing ones', {
  tags: 'whole',
}, async () => {
  await beginSaml('People HR');
  await user.click(await screen.findByRole('tab', { name: 'Manually' }));
  await type('Entity ID', 'urn:hr');
  await type('Redirect URL', 'https://hr.acme.test/');
  await press('Submit');
  await waitFor(async () =>
    expect((await field('Assertion consumer service URL')).getAttribute('aria-invalid')).toBe('true'),
  );
  await type('Assertion consumer service URL', 'https://hr.acme.test/acs');
  await press('Submit');
  expect((await preview()).textContent).toContain('urn:hr');
  await press('Submit');
  await screen.findByText('Application created');
});

test('waits until metadata has been read before saving a submitted form', async () => {
  await beginSaml('People HR');
  await type('Redirect URL', 'https://hr.acme.test/');
  await portal.lab.fault({ match: { method: 'POST', path: METADATA_PATH }, answer: { delayMs: 1_000 } });
  await upload(METADATA);
  await press('Submit');
  await screen.findByText('Application created');
});

test('saves only once if a form is submitted twice while metadata is being read', async () => {
  await beginSaml('People HR');
  await type('Redirect URL', 'https://hr.acme.test/');
  await portal.lab.fault({ match: { method: 'POST', path: METADATA_PATH }, answer: { delayMs: 1_000 } });
  await upload(METADATA);
  await press('Submit');
  expect((await button('Submit')).disabled).toBe(true);
  await press('Submit');
  await screen.findByText('Application created');
  expect(screen.queryByText('App creation failed')).toBeNull();
});

test('keeps new metadata input when another form is submitted or another tab opens', async () => {
  const { token } = await visitApps('/applications/travel-desk/configuration');
  await press('Replace');
  await user.click(await screen.findByRole('tab', { name: 'Manually' }));
  await type('Entity ID', 'urn:hr');
  expect((await button('Submit')).disabled).toBe(false);
  await user.click(screen.getByRole('link', { name: 'General info' }));
  await type('Description', 'Flights and hotels');
  await press('Submit');
  await waitFor(async () =>
    expect((await field('Assertion consumer service URL')).getAttribute('aria-invalid')).toBe('true'),
  );
  expect((await field('Entity ID')).value).toBe('urn:hr');
  await type('Assertion consumer service URL', 'https://hr.acme.test/acs');
  await press('Submit');
  expect((await preview()).textContent).toContain('https://hr.acme.test/acs');
  await press('Submit');
  await screen.findByText('App settings saved');
  const { app } = (await portal.call(getApp, { params: { orgCode: 'acme', appId: 'travel-desk' } }, { token })).body;
  expect(app).toMatchObject({
    description: 'Flights and hotels',
    samlConfiguration: { serviceProvider: { entityId: 'urn:hr' } },
  });
});

test('uses metadata input from another tab until the upload is cancelled', {
  tags: 'whole',
}, async () => {
  await visitApps('/applications/travel-desk/configuration');
  await press('Replace');
  await user.click(await screen.findByRole('tab', { name: 'URL' }));
  await type('Metadata URL', 'http://127.0.0.1:9/metadata');
  await user.click(await screen.findByRole('tab', { name: 'XML file' }));
  await press('Submit');
  await screen.findByText('This address refused the connection');
  expect((await field('Metadata URL')).value).toBe('http://127.0.0.1:9/metadata');
  await press('Cancel upload');
  await preview();
  expect((await button('Submit')).disabled).toBe(true);
  await type('Redirect URL', 'https://travel.acme.test/home');
  await press('Submit');
  await screen.findByText('App settings saved');
});

test("blocks form submission until a file that isn't metadata is removed", {
  tags: 'whole',
}, async () => {
  await visitApps('/applications/travel-desk/configuration');
  await press('Replace');
  await upload('<md:EntityDescriptor/>');
  await type('Redirect URL', 'https://travel.acme.test/home');
  await waitFor(async () => expect((await button('Submit')).disabled).toBe(true));
  await press('Remove metadata.xml');
  await press('Submit');
  await screen.findByText('App settings saved');
});

test('fetches the entered metadata URL when the form is submitted', {
  tags: 'whole',
}, async () => {
  await beginSaml('People HR');
  await user.click(await screen.findByRole('tab', { name: 'URL' }));
  await type('Metadata URL', 'http://127.0.0.1:9/metadata');
  await type('Redirect URL', 'https://hr.acme.test/');
  await press('Submit');
  await screen.findByText('This address refused the connection');
});

// covers: spec 2.5.12, spec 2.5.13
test('limits attributes to five and configurations to two', async () => {
  await beginSaml('People HR');
  await attribute(3);
  await press('Add attribute');
  await press('Add attribute');
  await attribute(5);
  expect(screen.queryByRole('button', { name: 'Add attribute' })).toBeNull();
  const group = within(screen.getByRole('group', { name: 'Attribute 1' }));
  await user.click(group.getByRole('button', { name: 'Add config' }));
  await group.findByRole('textbox', { name: 'Value' });
  await user.click(group.getByRole('button', { name: 'Add config' }));
  await waitFor(() => expect(group.getAllByRole('textbox', { name: 'Value' })).toHaveLength(2));
  expect(group.queryByRole('button', { name: 'Add config' })).toBeNull();
  expect(group.getAllByRole<HTMLSelectElement>('combobox', { name: 'Type' }).map(({ value }) => value)).toEqual([
    'Format',
    'Transform',
  ]);
});

// covers: spec 2.2.38, spec 2.8.3
test("shows the server's errors on their fields", async () => {
  await visitApps('/applications/travel-desk/configuration');
  await type('Name ID transformation template', '$'.concat('{shoeSize}'));
  await press('Submit');
  await screen.findByText('shoeSize is not a member field');
  await screen.findByText('Failed to update app settings');
});

// covers: spec 2.2.36, spec 2.8.5
test("downloads the identity provider's metadata, and only logs a failure", async () => {
  // jsdom doesn't implement object URLs.
  Object.assign(URL, { createObjectURL: () => 'blob:metadata', revokeObjectURL: () => undefined });
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    expect(this.download).toBe('saml-idp-metadata.xml');
  });
  await visitApps('/applications/travel-desk/configuration');
  await press('Download IDP metadata');
  await waitFor(() => expect(click).toHaveBeenCalledTimes(1));

  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  await portal.lab.fault({ method: 'GET', path: '/login/idp-metadata.xml' });
  await press('Download IDP metadata');
  await waitFor(() => expect(warned).toHaveBeenCalledWith('Failed to download IDP metadata', expect.anything()));
  expect(click).toHaveBeenCalledTimes(1);
});

// covers: spec 2.7.25
test("downloads the service provider's metadata unchanged", async () => {
  const blobs: Blob[] = [];
  Object.assign(URL, {
    createObjectURL: (file: Blob) => `blob:${blobs.push(file)}`,
    revokeObjectURL: () => undefined,
  });
  const names: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  const { token } = await visitApps('/applications/travel-desk/configuration');
  await press('Download');
  expect(names).toEqual(['saml-sp-metadata.xml']);
  const params = { orgCode: 'acme', appId: 'travel-desk' };
  const { app } = (await portal.call(getApp, { params }, { token })).body;
  expect(blobs[0]?.size).toBe(new Blob([app.samlConfiguration?.metadata ?? '']).size);
});

test('rolls over signing certificates, then deletes the old certificate', {
  tags: 'whole',
}, async () => {
  await visitApps('/org-settings/idp-configuration');
  const table = within(await screen.findByRole('table', { name: 'Signing certificates' }));
  expect(table.getAllByRole('row')).toHaveLength(2);
  await press('New certificate');
  await press('Create certificate');
  await waitFor(() => expect(table.getAllByRole('row')).toHaveLength(3));
  const remove = table.getAllByRole('button', { name: 'Delete certificate' });
  expect(remove.map((each) => each.getAttribute('aria-disabled'))).toEqual(['true', null]);
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  await user.click(remove[1] ?? document.body);
  const dialog = within(await screen.findByRole('alertdialog'));
  await user.click(dialog.getByRole('button', { name: 'Delete certificate' }));
  await waitFor(() => expect(table.getAllByRole('row')).toHaveLength(2));
  expect(screen.getByRole('link', { name: 'Travel Desk' })).toBeTruthy();
});

test('rotates signing keys manually, then withdraws the old key', {
  tags: 'whole',
}, async () => {
  await visitApps('/org-settings/idp-configuration');
  const table = within(await screen.findByRole('table', { name: 'Signing keys' }));
  expect(table.getAllByRole('row')).toHaveLength(3);
  await press('New key');
  await user.click(await screen.findByRole('menuitem', { name: 'ES256' }));
  await press('Create key');
  await waitFor(() => expect(table.getAllByRole('row')).toHaveLength(4));
  expect(table.getAllByText(/Still published/)).toHaveLength(1);
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  const [row] = table.getAllByRole('row').filter((each) => each.textContent?.includes('Still published'));
  await user.click(within(row ?? document.body).getByRole('button', { name: 'Withdraw key' }));
  const dialog = within(await screen.findByRole('alertdialog'));
  await user.click(dialog.getByRole('button', { name: 'Withdraw key' }));
  await waitFor(() => expect(table.getAllByRole('row')).toHaveLength(3));
});

/** Gives user@acme.test a role whose only permission is to configure SAML applications. */
async function makeFederator(): Promise<void> {
  const admin = await portal.signIn(ADMIN);
  const permissions = ['ADD_UPDATE_SAML_CONFIGURATION' as const];
  const { roleCode } = (await portal.call(createRole, { body: { name: 'Federation', permissions } }, admin)).body;
  const { primaryAttr, firstName, lastName, email } = (await portal.signIn('user@acme.test')).profile;
  const person = { primaryAttr, firstName, lastName, primaryEmail: email, roles: roleCode };
  await portal.call(updateUser, { body: person }, admin);
}

test('shows only SAML applications to a user with only the SAML permission', {
  tags: 'whole',
}, async () => {
  await makeFederator();
  await visitSignedIn(portal, 'user@acme.test', '/applications', screens);
  const table = within(await screen.findByRole('table', { name: 'Applications' }));
  expect(table.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Travel Desk']);
  for (const name of ['Groups', 'APIs', 'Registration']) expect(screen.queryByRole('region', { name })).toBeNull();
  await press('Add application');
  expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual(['SAML']);
  await user.keyboard('{Escape}');
  await user.click(table.getByRole('link', { name: 'Travel Desk' }));
  await screen.findByRole('heading', { name: 'Travel Desk / SAML' });
  const tabs = within(screen.getByRole('navigation', { name: 'Application settings' }));
  expect(tabs.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    'Configuration',
    'Login options',
    'Access',
    'General info',
  ]);
  await type('Redirect URL', 'https://travel.acme.test/home');
  await press('Submit');
  await screen.findByText('App settings saved');
});

test("shows the organisation's overrides to a user with only the SAML permission", {
  tags: 'whole',
}, async () => {
  await makeFederator();
  await changeOrgLoginOptions(portal, { didEnabled: false, webAuthnEnabled: true, desktopAppEnabled: false });
  await visitSignedIn(portal, 'user@acme.test', '/applications/travel-desk/login-options', screens);
  const [code, passkeys, desktop] = await Promise.all(
    ['Type code', 'Passkeys', 'Desktop app'].map((name) => screen.findByRole('switch', { name })),
  );
  for (const option of [code, desktop]) {
    expect(option?.textContent).toContain('Disabled for the whole organisation.');
    expect(option?.getAttribute('aria-checked')).toBe('false');
    expect(option?.getAttribute('aria-disabled')).toBe('true');
  }
  expect(passkeys?.textContent).not.toContain('Turned off automatically');
});
