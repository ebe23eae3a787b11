import { addFault } from '@orchestrate/shared';
import type { Scene, Studio } from './scene.ts';

const on = ['desktop'] as const;

async function openDialog({ page, signIn }: Studio): Promise<void> {
  await signIn('super.admin@acme.test');
  await page.getByRole('table', { name: 'Registered devices' }).waitFor();
  await page.goto('/dashboard?modal=invite');
  await page.getByRole('dialog', { name: 'Invite users' }).waitFor();
}

async function type({ page }: Studio, text: string): Promise<void> {
  await page.getByRole('textbox', { name: /^Email addresses/ }).pressSequentially(text);
}

async function upload({ page }: Studio, text: string): Promise<void> {
  await page.getByRole('radio', { name: 'Mobile' }).check({ force: true });
  await page.getByRole('tab', { name: 'CSV file' }).click();
  await page.locator('input[type=file]').setInputFiles({
    name: 'spring-hires.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(text),
  });
}

const press = ({ page }: Studio, name: string) => page.getByRole('button', { name, exact: true }).click();

const person = (at: number) => `hire.${at}@acme.test,Hire,Number ${at},E-9${String(at).padStart(5, '0')}\n`;
const people = (count: number) => Array.from({ length: count }, (_, at) => person(at)).join('');

export const inviteScenes: Scene[] = [
  {
    name: 'invite',
    async arrange(studio) {
      await openDialog(studio);
    },
  },
  {
    name: 'invite-emails',
    on,
    async arrange(studio) {
      await openDialog(studio);
      await studio.page.getByRole('radio', { name: 'Mobile' }).check({ force: true });
      await type(studio, 'mara.ek@acme.test, jon.berg@acme.test, not-an-address, noor.vandenberg-lindqvist@acme.test,');
    },
  },
  {
    name: 'invite-required',
    on,
    async arrange(studio) {
      await openDialog(studio);
      await press(studio, 'Invite');
      await studio.page.getByText('This field is required').first().waitFor();
    },
  },
  {
    name: 'invite-file',
    on,
    async arrange(studio) {
      await openDialog(studio);
      await studio.page.getByRole('tab', { name: 'CSV file' }).click();
    },
  },
  {
    name: 'invite-file-chosen',
    on,
    async arrange(studio) {
      await openDialog(studio);
      await upload(studio, people(12_000));
      await studio.page.getByText('spring-hires.csv').waitFor();
    },
  },
  {
    name: 'invite-file-refused',
    on,
    async arrange(studio) {
      await openDialog(studio);
      await studio.page.getByRole('tab', { name: 'CSV file' }).click();
      await studio.page
        .locator('input[type=file]')
        .setInputFiles({ name: 'people.xlsx', mimeType: 'application/zip', buffer: Buffer.from('PK') });
      await studio.page.getByText('Only CSV files are allowed').waitFor();
    },
  },
  {
    name: 'invite-uploading',
    on,
    async arrange(studio) {
      await openDialog(studio);
      await upload(studio, people(250_000));
      await press(studio, 'Invite');
      await studio.page.getByRole('progressbar', { name: 'Upload' }).waitFor();
      await studio.pass(2);
      await studio.page.getByText(/^[3-9]\d %$/).waitFor({ timeout: 60_000 });
    },
  },
  {
    name: 'invite-stopping',
    on,
    async arrange(studio) {
      await openDialog(studio);
      await upload(studio, people(250_000));
      await press(studio, 'Invite');
      await studio.page.getByText(/^[2-9]\d %$/).waitFor({ timeout: 60_000 });
      await press(studio, 'Cancel');
      await press(studio, 'Stop upload');
      await studio.page.getByText('The upload was stopped').waitFor();
    },
  },
  {
    name: 'invite-success',
    on,
    async arrange(studio) {
      await openDialog(studio);
      await upload(studio, people(1_200));
      await press(studio, 'Invite');
      await studio.page.getByText('All users were invited').waitFor();
    },
  },
  {
    name: 'invite-partial',
    on,
    async arrange(studio) {
      await openDialog(studio);
      const strangers = ['ada@elsewhere.test', '=2+5@elsewhere.test', 'not an address'].join('\n');
      await upload(studio, `${people(40)}${strangers}\nhire.900@acme.test,A,B,E-900000\n`);
      await studio.page.getByRole('switch', { name: 'Add people with only an email address' }).click();
      await studio.page.getByRole('button', { name: /^Invite \d+ of/ }).click();
      await studio.page.getByText('3 users not found').waitFor();
      await press(studio, 'Keep result');
    },
  },
  {
    name: 'invite-error',
    on,
    async arrange(studio) {
      await studio.portal.call(addFault, { body: { method: 'POST', path: '/user/bulkinvite' } });
      await openDialog(studio);
      await upload(studio, people(3));
      await press(studio, 'Invite');
      await studio.page.getByText('Failed to upload file. Please try again').waitFor();
    },
  },
];
