import { Input } from '@chakra-ui/react';
import { act, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router-dom';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closeGuardedPage, openGuardedPage } from '#lib/leaving/testing.tsx';
import { fill, user } from '#testing.ts';
import { UnsavedChanges } from '../editing/unsaved-changes.tsx';
import { FormField } from './form-field.tsx';
import { FormModal } from './form-modal.tsx';

/** A page that contains a form, with a form dialog above it. */
function Page() {
  const [isOpen, setIsOpen] = useState(false);
  const [onPage, setOnPage] = useState('');
  const { register, handleSubmit, formState, reset } = useForm({ defaultValues: { name: '' } });
  const navigate = useNavigate();
  return (
    <>
      <input aria-label="On the page" value={onPage} onChange={({ target }) => setOnPage(target.value)} />
      <button type="button" onClick={() => setIsOpen(true)}>
        Open
      </button>
      <UnsavedChanges isDirty={onPage !== ''} onSave={async () => true} />
      <FormModal
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        onExitComplete={reset}
        title="Add thing"
        verb="Add"
        onSubmit={handleSubmit(async () => {
          await saving;
          void navigate('/elsewhere');
        })}
        isDirty={formState.isDirty}
        isPending={formState.isSubmitting}
      >
        <FormField label="Name">
          <Input {...register('name')} />
        </FormField>
      </FormModal>
    </>
  );
}

/** Promise that delays the submission. */
let saving: Promise<void> | undefined;
afterEach(() => {
  saving = undefined;
});

beforeEach(() => openGuardedPage('/things', <Page />));
afterEach(closeGuardedPage);

const open = async () => {
  await user.click(screen.getByText('Open'));
  await screen.findByRole('dialog', { name: 'Add thing' });
};
const type = async (text: string) => fill(await screen.findByLabelText('Name'), text);
const press = async (name: string) => user.click(await screen.findByRole('button', { name }));
const gone = (role: string) => waitFor(() => expect(screen.queryByRole(role)).toBeNull());
/** Waits until the dialog has focus, because it handles keys and clicks only from then on. */
const focusIn = (role: string) =>
  waitFor(() => expect(screen.getByRole(role).contains(document.activeElement)).toBe(true));
const question = async (name = 'Discard your changes?') => {
  await screen.findByRole('alertdialog', { name });
  await focusIn('alertdialog');
};
const nameField = () => screen.getByLabelText('Name');

test('closes an empty dialog immediately', async () => {
  await open();
  await press('Cancel');
  await gone('dialog');
});

for (const control of ['Escape', 'Cancel', 'Close']) {
  test(`asks before discarding the input on ${control}`, async () => {
    const leave = () => (control === 'Escape' ? user.keyboard('{Escape}') : press(control));
    await open();
    await type('Ada');
    await leave();
    await question();
    await press('Keep editing');
    await gone('alertdialog');
    await focusIn('dialog');
    expect(nameField()).toMatchObject({ value: 'Ada' });
    await leave();
    await question();
    await press('Discard');
    await gone('dialog');
    await open();
    expect(nameField()).toMatchObject({ value: '' });
  });
}

test('submits the dialog with Ctrl S', async () => {
  const submitted = Promise.withResolvers<void>();
  saving = submitted.promise;
  await open();
  await type('Ada');
  await user.click(nameField());
  await user.keyboard('{Control>}s{/Control}');
  await waitFor(() => expect(screen.getByRole('button', { name: 'Add' })).toHaveProperty('disabled', true));
  submitted.resolve();
});

test('returns to the dialog on Escape in the confirmation', async () => {
  await open();
  await type('Ada');
  await user.keyboard('{Escape}');
  await question();
  await user.keyboard('{Escape}');
  await gone('alertdialog');
  expect(nameField()).toMatchObject({ value: 'Ada' });
});

test('asks on Back about the dialog first, then about the page below it', { tags: 'whole' }, async () => {
  await fill(screen.getByLabelText('On the page'), 'Grace');
  await open();
  await type('Ada');
  act(() => window.history.back());
  await question();
  expect(nameField()).toMatchObject({ value: 'Ada' });
  await press('Discard');
  await question('Save your changes?');
  await press('Discard');
  await screen.findByText('To the page');
  expect(window.location.pathname).toBe('/before');
});

test('leaves the page without asking on submit', async () => {
  await open();
  await type('Ada');
  await press('Add');
  await screen.findByRole('heading', { name: 'Elsewhere' });
});

test("doesn't claim that nothing was saved when cancelling during the submission", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  saving = promise;
  await open();
  await type('Ada');
  await press('Add');
  await press('Cancel');
  await question('Close while saving?');
  expect(screen.queryByText(/haven't been saved/)).toBeNull();
  await press('Keep waiting');
  resolve();
  await screen.findByRole('heading', { name: 'Elsewhere' });
});
