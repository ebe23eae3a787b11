import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expectAccessible } from './fixtures/accessible.ts';
import { expect, test, WHOLE } from './fixtures/test.ts';

const open = (on: Page, name: string) => on.getByRole('link', { name, exact: true }).click();

// covers: spec 2.2.42
test(
  'downloads, edits, compares and imports a configuration, even into another organisation',
  WHOLE,
  async ({ page, signIn, openBrowser }) => {
    await signIn('super.admin@acme.test');
    await page.getByRole('button', { name: 'Manage Settings' }).click();
    await open(page, 'Configuration File');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download YAML' }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe('configuration-acme.yaml');
    const text = await readFile(await saved.path(), 'utf8');

    const changed = text.replace('Team Wiki', 'Handbook').replace('#FACC15', '#0F766E');
    const choose = (on: Page, content: string) =>
      on.locator('input[type=file]').setInputFiles({
        name: 'acme.yaml',
        mimeType: 'application/yaml',
        buffer: Buffer.from(content),
      });
    await choose(page, changed);
    const difference = page.getByRole('list', { name: 'Planned changes' });
    await expect(difference.getByRole('listitem')).toHaveCount(2);
    await expectAccessible(page, 'difference of a configuration');
    await page.getByRole('button', { name: 'Import 2 changes' }).click();
    await expect(page.getByText('2 changes imported')).toBeVisible();
    await open(page, 'Applications');
    await expect(page.getByRole('link', { name: 'Handbook' })).toBeVisible();

    const other = await openBrowser();
    await signIn('admin@globex.test', { on: other });
    await other.getByRole('button', { name: 'Manage Settings' }).click();
    await open(other, 'Configuration File');
    await choose(other, changed.replaceAll('employeeId', 'primaryAttr'));
    await expect(other.getByRole('list', { name: 'In the file, but not imported' })).toContainText('can’t rename');
    await other.getByRole('button', { name: /^Import \d+ changes$/ }).click();
    await open(other, 'Applications');
    await expect(other.getByRole('link', { name: 'Handbook' })).toBeVisible();
  },
);
