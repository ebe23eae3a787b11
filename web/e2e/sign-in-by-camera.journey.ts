import { rm, writeFile } from 'node:fs/promises';
import { chromium } from '@playwright/test';
import { Phone } from './fixtures/phone.ts';
import { shownAddress } from './fixtures/sign-in.ts';
import { expect, PHONE, test } from './fixtures/test.ts';

// covers: spec 1.9.10
test('scans the QR code on the screen with the phone’s camera', async ({
  page,
  baseURL,
  launchOptions,
  complaints,
}, testInfo) => {
  await page.goto('/acme/sign-in?with=scan');
  await shownAddress(page);
  // The browser loops this file as its camera input.
  const film = testInfo.outputPath('camera.mjpeg');
  const { x = 0, y = 0 } = (await page.getByRole('tabpanel').boundingBox()) ?? {};
  // Cameras have even numbers of pixels, and Chromium accepts no other.
  const clip = { x, y, width: 358, height: 400 };
  const picture = await page.screenshot({ type: 'jpeg', quality: 95, clip });
  await writeFile(film, picture);

  const browser = await chromium.launch({
    ...launchOptions,
    args: [
      ...(launchOptions.args ?? []),
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      `--use-file-for-fake-video-capture=${film}`,
    ],
  });
  try {
    const context = await browser.newContext({ ...PHONE, baseURL, reducedMotion: 'reduce' });
    complaints.watch(context);
    const phone = new Phone(await context.newPage());
    await phone.startAs('user@acme.test');
    await phone.button('Scan').click();
    await phone.approve();
    await expect(page).toHaveURL(/\/dashboard$/);
  } finally {
    await browser.close();
    await rm(film);
  }
});
