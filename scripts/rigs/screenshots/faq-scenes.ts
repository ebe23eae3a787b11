import type { Page } from '@playwright/test';
import type { Scene } from './scene.ts';

const QUESTION = 'How do I sign in without a password?';

const read = (name: string, address: string, act: (page: Page) => Promise<void>): Scene => ({
  name: `faq${name}`,
  async arrange({ page }) {
    await page.goto(`/acme/faq${address}`);
    await act(page);
  },
});

const manage = (name: string, act: (page: Page) => Promise<void> = async () => undefined): Scene => ({
  name: `manage-faq${name}`,
  on: ['desktop'],
  async arrange({ page, signIn }) {
    await signIn('super.admin@acme.test');
    await page.goto('/org-settings/manage-faq');
    await page.getByRole('button', { name: `Edit ${QUESTION}` }).waitFor();
    await act(page);
  },
});

export const faqScenes: Scene[] = [
  { ...read('', '', (page) => page.getByRole('button', { name: QUESTION }).click()), isWhole: true },
  read('-found', '?q=phone', (page) => page.locator('mark').first().waitFor()),
  read('-nothing-found', '?q=quagmire', (page) => page.getByRole('heading', { name: 'Nothing found' }).waitFor()),
  {
    name: 'faq-signed-in',
    async arrange({ page, signIn }) {
      await signIn('user@acme.test');
      await page.goto('/faq');
      await page.getByRole('button', { name: QUESTION }).click();
    },
  },
  { ...manage(''), isWhole: true },
  manage('-name', async (page) => {
    await page.getByRole('button', { name: 'Add category' }).click();
    await page.getByRole('textbox', { name: /Name/ }).fill('devices');
    await page.getByRole('dialog').getByRole('button', { name: 'Add category' }).click();
    await page.getByText('A category with this name already exists.').waitFor();
  }),
  manage('-question', async (page) => {
    await page.getByRole('button', { name: `Edit ${QUESTION}` }).click();
    await page.getByRole('toolbar').waitFor();
  }),
  manage('-link', async (page) => {
    await page.getByRole('button', { name: `Edit ${QUESTION}` }).click();
    await page.getByRole('button', { name: 'Link' }).click();
    await page.getByRole('textbox', { name: 'Link address' }).fill('acme.test/help');
    await page.keyboard.press('Enter');
    await page.getByText('Please enter a valid URL starting with http:// or https://').waitFor();
  }),
  manage('-preview', async (page) => {
    await page.getByRole('button', { name: `Edit ${QUESTION}` }).click();
    await page.getByRole('toolbar').waitFor();
    await page.getByRole('button', { name: 'Preview' }).click();
  }),
  manage('-delete', async (page) => {
    await page.getByRole('button', { name: 'Delete Devices', exact: true }).click();
    await page.getByRole('alertdialog').waitFor();
  }),
];
