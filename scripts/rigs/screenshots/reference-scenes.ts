import type { Scene } from './scene.ts';

/** API reference pages. */
const pages = {
  reference: '/docs',
  'reference-area': '/docs/areas/authenticator',
  'reference-operation': '/docs/deleteDevice',
  'reference-socket': '/docs/sockets/addDevice',
};

export const referenceScenes: Scene[] = [
  ...Object.entries(pages).map(([name, address]) => ({
    name,
    async arrange({ page }: Parameters<Scene['arrange']>[0]) {
      await page.goto(address);
      await page.getByRole('heading', { level: 1 }).waitFor();
    },
  })),
  {
    name: 'reference-refused',
    async arrange({ page }) {
      await page.goto('/docs/getProfile');
      await page.getByRole('combobox', { name: 'Answer' }).selectOption('INVALID_SESSION');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText('INVALID_SESSION, resultCode 53').waitFor();
    },
  },
];
