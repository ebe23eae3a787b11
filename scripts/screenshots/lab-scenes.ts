import { addFault, emptyOutbox } from '@orchestrate/shared';
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
];
