import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { shownCode } from './fixtures/sign-in.ts';
import { expect, test } from './fixtures/test.ts';

const README = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
const [, steps = ''] = /^## The first sign-in$(.*?)^Instead of typing/ms.exec(README) ?? [];

/**
 * Matches the README's instructions in order: open a URL, press a button, switch to the phone, or type the displayed
 * code.
 */
const instructions = [
  ...steps
    .slice(steps.indexOf('1. '))
    .matchAll(/<http:\/\/localhost:3000([^>]+)>|\*\*([^*]+)\*\*|(On the phone)|(enter them)/g),
];

// covers: spec 2.2.45
test('signs in by following the README', async ({ page: browser, phone }) => {
  let window: Page = browser;
  let presses = 0;
  for (const [, address, label, toPhone, typing] of instructions) {
    if (address) {
      window = address === '/authenticator' ? phone.page : browser;
      await window.goto(address);
    } else if (toPhone) {
      window = phone.page;
    } else if (typing) {
      await window.getByRole('textbox', { name: 'Code' }).fill(await shownCode(browser));
    } else if (label) {
      const button = window.getByRole('button', { name: label }).or(window.getByRole('tab', { name: label }));
      await button.first().click();
      presses += 1;
    }
  }
  expect(presses).toBe(5);
  await expect(browser).toHaveURL(/\/dashboard$/);
  await expect(browser.getByRole('heading', { level: 1 })).toHaveText(/, Avery$/);
});
