import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closeGuardedPage, openGuardedPage } from '#lib/leaving/testing.tsx';
import { fill, user } from '#testing.ts';
import { UnsavedChanges } from './unsaved-changes.tsx';

let saved: string[] = [];

function Form() {
  const [typed, setTyped] = useState('');
  const navigate = useNavigate();
  return (
    <>
      <input aria-label="Name" value={typed} onChange={(event) => setTyped(event.target.value)} />
      <Link to="/form/other-tab">Other tab</Link>
      <Link to="?modal=logout">Dialog</Link>
      <Link to="/elsewhere">Elsewhere</Link>
      <button type="button" onClick={() => void navigate(-1)}>
        Back
      </button>
      <UnsavedChanges
        isDirty={typed !== ''}
        within="/form"
        onSave={async () => {
          saved.push(typed);
          return typed !== 'refused';
        }}
      />
    </>
  );
}

beforeEach(async () => {
  saved = [];
  await openGuardedPage('/form', <Form />);
});
afterEach(closeGuardedPage);

const type = (text: string) => fill(screen.getByLabelText('Name'), text);
const go = (where: string) => user.click(screen.getByText(where));
const answer = async (name: string) => user.click(await screen.findByRole('button', { name }));
const question = () => screen.findByRole('alertdialog', { name: 'Save your changes?' });

test("doesn't ask before leaving if nothing was changed", async () => {
  await go('Elsewhere');
  screen.getByRole('heading', { name: 'Elsewhere' });
});

test('does not count switching tabs or opening a dialog as leaving', async () => {
  await type('Ada');
  await go('Other tab');
  await go('Dialog');
  expect(window.location.href).toContain('?modal=logout');
  expect(screen.getByLabelText('Name')).toMatchObject({ value: 'Ada' });
});

test('keeps the form as it was on Stay', async () => {
  await type('Ada');
  await go('Elsewhere');
  await question();
  await answer('Stay');
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(window.location.pathname).toBe('/form');
  expect(screen.getByLabelText('Name')).toMatchObject({ value: 'Ada' });
});

test('leaves without saving on Discard', async () => {
  await type('Ada');
  await go('Elsewhere');
  await answer('Discard');
  await screen.findByRole('heading', { name: 'Elsewhere' });
  expect(saved).toEqual([]);
});

test('saves and then leaves on Save, but stays if saving fails', async () => {
  await type('refused');
  await go('Elsewhere');
  await answer('Save');
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(window.location.pathname).toBe('/form');
  await type('Ada');
  await go('Elsewhere');
  await answer('Save');
  await screen.findByRole('heading', { name: 'Elsewhere' });
  expect(saved).toEqual(['refused', 'Ada']);
});

test('asks on Back and then navigates back', async () => {
  await type('Ada');
  await go('Back');
  await question();
  await waitFor(() => expect(window.location.pathname).toBe('/form'));
  await answer('Discard');
  await screen.findByText('To the page');
  expect(window.location.pathname).toBe('/before');
});

test('makes the browser ask before closing a page with changes', async () => {
  const close = () => {
    const event = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect(close()).toBe(false);
  await type('Ada');
  expect(close()).toBe(true);
});
