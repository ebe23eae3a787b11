import {
  addFault,
  addSocketFault,
  emptyOutbox,
  makeSession,
  makeSpace,
  setPolicy,
  takeSnapshot,
} from '@orchestrate/shared';
import type { Scene, Studio } from './scene.ts';

/** Opens the lab once something is in its outbox. */
async function openLab({ page }: Studio, search = ''): Promise<void> {
  await page.goto(`/lab${search}`);
  await page.getByRole('list', { name: 'Messages' }).waitFor();
}

export const labScenes: Scene[] = [
  {
    name: 'lab',
    async arrange(studio) {
      await openLab(studio);
    },
  },
  {
    name: 'lab-text',
    async arrange(studio) {
      const { page, portal } = studio;
      await portal.call(addFault, { body: { method: 'POST', path: '/device/manage', times: 3 } });
      await openLab(studio);
      await page.getByRole('list', { name: 'Messages' }).getByRole('button').nth(1).click();
      await page.getByRole('tab', { name: 'Text' }).click();
    },
  },
  {
    name: 'lab-nothing-found',
    async arrange(studio) {
      await studio.page.goto('/lab?to=nobody');
      await studio.page.getByText('Nothing was sent to').waitFor();
    },
  },
  {
    name: 'lab-empty',
    isWhole: true,
    async arrange({ page, portal }) {
      await portal.call(emptyOutbox, {});
      await page.goto('/lab');
      await page.getByText('Nothing has been sent yet').waitFor();
    },
  },
  {
    name: 'lab-reset',
    on: ['desktop'],
    async arrange(studio) {
      await openLab(studio);
      await studio.page.getByRole('button', { name: 'Reset the portal' }).click();
      await studio.page.getByRole('alertdialog').waitFor();
    },
  },
  {
    name: 'lab-people',
    on: ['desktop', 'laptop', 'phone'],
    async arrange({ page, portal }) {
      await portal.call(setPolicy, { body: { match: { org: 'acme' }, answer: 'approve', afterMs: 800 } });
      await page.goto('/lab/people');
      await page.getByRole('list', { name: 'People' }).waitFor();
    },
  },
  {
    name: 'lab-people-one',
    isWhole: true,
    on: ['laptop', 'phone'],
    async arrange({ page, portal }) {
      const match = { email: 'user@acme.test', org: 'acme' };
      await portal.call(setPolicy, { body: { match, answer: 'deny', afterMs: 250, lie: 'replay', times: 2 } });
      await portal.call(setPolicy, { body: { match: {}, answer: 'approve' } });
      await page.goto('/lab/people?find=user@acme.test');
      await page.getByRole('list', { name: 'People' }).getByRole('button').first().click();
      await page.getByRole('list', { name: 'What applies' }).waitFor();
    },
  },
  {
    name: 'lab-people-make',
    on: ['laptop', 'phone'],
    async arrange({ page }) {
      await page.goto('/lab/people');
      await page.getByRole('button', { name: 'Make a person' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'lab-worlds',
    isWhole: true,
    on: ['laptop', 'phone'],
    async arrange({ page }) {
      await page.goto('/lab/worlds');
      await page.getByRole('heading', { name: 'Snapshots' }).waitFor();
    },
  },
  {
    name: 'lab-worlds-full',
    isWhole: true,
    on: ['laptop', 'phone'],
    async arrange({ page, portal }) {
      await portal.call(takeSnapshot, { body: { name: 'Before the sign-in' } });
      await portal.call(makeSpace, { body: { name: 'Beside', seed: 'none' } });
      await page.goto('/lab/worlds');
      await page.getByRole('combobox', { name: 'Begin again with' }).selectOption('A world of your own');
      await page
        .getByLabel('World file')
        .locator('input')
        .setInputFiles({
          name: 'world.yaml',
          mimeType: 'application/yaml',
          buffer: Buffer.from(
            'organisations:\n  - code: initech\n    nmae: Initech\n    people:\n      - emial: bill@initech.test\n',
          ),
        });
      await page.getByRole('button', { name: 'Begin again' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Begin again' }).click();
      await page.getByRole('list', { name: 'Mistakes' }).waitFor();
      await page.getByRole('list', { name: 'Spaces' }).waitFor();
      await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    },
  },
  {
    name: 'lab-faults',
    isWhole: true,
    on: ['laptop', 'phone'],
    async arrange({ page, portal }) {
      await portal.call(addFault, { body: { match: { path: '/api/health' }, answer: { resultName: 'EXPIRED' } } });
      await portal.call(addFault, {
        body: { match: { path: '/oidc/acme/token' }, answer: { token: 'expired' }, times: 3 },
      });
      await portal.call(addSocketFault, { body: { channel: 'login', do: 'close', code: 1011, state: 'success' } });
      await page.request.get('/api/health');
      await page.goto('/lab/faults');
      await page.getByRole('list', { name: 'Faults that have fired' }).waitFor();
    },
  },
  {
    name: 'lab-tokens',
    isWhole: true,
    on: ['laptop', 'phone'],
    async arrange({ page, portal }) {
      const { token } = (await portal.call(makeSession, { body: { email: 'user@acme.test' } })).body;
      await page.goto('/lab/tokens');
      await page.getByRole('textbox', { name: 'Token or SAML response' }).fill(`${token.slice(0, -8)}AAAAAAAA`);
      await page.getByRole('button', { name: 'Inspect' }).click();
      await page.getByText(/must not be accepted/).waitFor();
    },
  },
];
