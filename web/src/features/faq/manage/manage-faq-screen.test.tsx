import { type TestPortal, testPortal } from '@orchestrate/server/testing';
import { deleteFaqSubcategory, getFaq } from '@orchestrate/shared';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closePage, visitSignedIn } from '#layout/testing.tsx';
import { paths } from '#paths.ts';
import { chooseItem, fill, user } from '#testing.ts';
import ManageFaqScreen from './manage-faq-screen.tsx';

let portal: TestPortal;
beforeEach(async () => {
  portal = await testPortal();
});
afterEach(() => closePage(portal));

async function open() {
  const { token } = await visitSignedIn(portal, 'super.admin@acme.test', paths.manageFaq, <ManageFaqScreen />);
  await screen.findByText('Signing in', { selector: 'h2' });
  return async () => (await portal.call(getFaq, {}, { token })).body.categories;
}

const categoryNames = () => screen.getAllByText(/./, { selector: 'section h2' }).map(({ textContent }) => textContent);
// Finds elements by label or text, because searching the whole tree by role and name takes seconds.
const openMenu = (name: string) => user.click(screen.getByLabelText(`Actions for ${name}`));
const findEntry = (action: string) => screen.findByText(action, { selector: '[role="menuitem"]' });
const choose = async (action: string, name: string) => {
  await openMenu(name);
  await chooseItem(await findEntry(action));
};

async function dialogNamed(name: string) {
  return within(await screen.findByRole('dialog', { name }));
}

// covers: spec 2.2.52
test('moves a category by its menu, which keeps focus, and announces the new position', async () => {
  const tree = await open();
  expect(categoryNames()).toEqual(['Signing in', 'Devices', 'Working with the help desk']);
  await choose('Move down', 'Signing in');
  await screen.findByText('Signing in is now 2 of 3');
  await waitFor(() => expect(categoryNames()).toEqual(['Devices', 'Signing in', 'Working with the help desk']));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Actions for Signing in')));
  expect((await tree()).map(({ name }) => name)).toEqual(['Devices', 'Signing in', 'Working with the help desk']);
  await openMenu('Devices');
  expect((await findEntry('Move up')).getAttribute('aria-disabled')).toBe('true');
  await user.keyboard('{Escape}');
});

test('reports a missing or taken name below the field', { tags: 'whole' }, async () => {
  await open();
  await user.click(screen.getByText('Add category'));
  const dialog = await dialogNamed('Add category');
  const name = dialog.getByRole('textbox', { name: /Name/ });
  await fill(name, '   ');
  await user.click(dialog.getByRole('button', { name: 'Add category' }));
  await dialog.findByText('This field is required');
  await fill(name, 'DEVICES');
  await user.click(dialog.getByRole('button', { name: 'Add category' }));
  await dialog.findByText('A category with this name already exists.');
  expect(dialog.queryByRole('alert')).toBeNull();
  await fill(name, 'Printers');
  await user.click(dialog.getByRole('button', { name: 'Add category' }));
  await screen.findByText('Printers', { selector: 'h2' });
});

test('reports an item that was renamed or deleted elsewhere', { tags: 'whole' }, async () => {
  const tree = await open();
  await choose('Rename', 'The basics');
  const dialog = await dialogNamed('Rename subcategory');
  const { token } = await portal.signIn('super.admin@acme.test');
  const subcategoryId = (await tree())[0]?.subcategories[0]?.subcategoryId ?? '';
  await portal.call(deleteFaqSubcategory, { body: { subcategoryId } }, { token });
  await fill(dialog.getByRole('textbox', { name: /Name/ }), 'Basics');
  await user.click(dialog.getByRole('button', { name: 'Rename' }));
  await dialog.findByText('There is no such subcategory.');
});

// covers: spec 2.1.7, spec 2.2.52, spec 2.5.21
test('lists what is deleted with a category', async () => {
  const tree = await open();
  await choose('Delete', 'Devices');
  const question = within(await screen.findByRole('alertdialog'));
  question.getByText('Its 2 subcategories with 5 questions will be deleted too.');
  await user.click(question.getByRole('button', { name: 'Delete category' }));
  await waitFor(() => expect(categoryNames()).toEqual(['Signing in', 'Working with the help desk']));
  expect(await tree()).toHaveLength(2);
});

test('reloads questions that failed to load', async () => {
  await portal.lab.fault({ method: 'GET', path: '/faq', status: 404, times: 1, delayMs: 0 });
  await visitSignedIn(portal, 'super.admin@acme.test', paths.manageFaq, <ManageFaqScreen />);
  await user.click(await screen.findByRole('button', { name: 'Retry' }));
  await screen.findByText('Signing in', { selector: 'h2' });
});
