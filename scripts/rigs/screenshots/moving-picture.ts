import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startTestPortal } from '@orchestrate/server/testing';
import { SECOND } from '@orchestrate/shared';
import { chromium, type Page } from '@playwright/test';
import { requireChromium } from '../../find-chromium.ts';
import { installFromDebian } from '../../install-from-debian.ts';

interface Frame {
  png: Buffer;
  /** How long the frame is displayed, in milliseconds. */
  ms: number;
}

/** How long a frame is displayed during movement, in milliseconds. */
const MOVING_MS = 90;
/** How long the last frame before the next click is displayed, in milliseconds. */
const READING_MS = 1_700;
const LAST_MS = 3_000;
const FRAMES_TO_SETTLE = 8;

/**
 * Plays the demo's first sign-in and writes it as an animated WebP. Installs `img2webp` from Debian's `webp` package
 * if missing.
 */
export async function recordAnimation(file: string): Promise<void> {
  const portal = await startTestPortal({ now: Date.now() });
  const browser = await chromium.launch({ executablePath: requireChromium(), args: ['--disable-gpu'] });
  try {
    const page = await browser.newPage({
      viewport: { width: 1180, height: 720 },
      baseURL: portal.url,
      colorScheme: 'light',
    });
    page.setDefaultTimeout(60 * SECOND);
    await writeWebp(await play(page), file);
  } finally {
    await browser.close();
    await portal.close();
  }
}

async function play(page: Page): Promise<Frame[]> {
  await page.goto('/demo');
  await page.getByRole('textbox', { name: 'Your organisation’s name' }).fill('Harbour & Sons');
  await page.getByRole('radio', { name: 'Teal' }).check();
  await page.getByRole('button', { name: 'Start the demo' }).click();
  await page.frameLocator('iframe[title="The browser"]').getByRole('button', { name: 'Sign in' }).waitFor();
  await page.frameLocator('iframe[title="The phone"]').getByText('maya.okafor').first().waitFor();

  const frames: Frame[] = [];
  await film(page, frames);
  const showMe = page.getByRole('button', { name: 'Show me' });
  const steps = page.getByRole('list', { name: 'Steps' }).getByRole('listitem');
  for (let done = 0; done < (await steps.count()); done += 1) {
    const mark = steps.nth(done).getByText('(done)');
    // Some steps run automatically, so wait for either the button or the step's mark.
    await showMe.or(mark).first().waitFor();
    if (await showMe.isVisible()) await showMe.click();
    let isDone = false;
    const ticked = mark.waitFor({ state: 'attached' }).finally(() => {
      isDone = true;
    });
    await film(page, frames, () => isDone);
    await ticked;
  }
  const last = frames.at(-1);
  if (last) last.ms = LAST_MS;
  return frames;
}

/**
 * Captures frames until `isOver`, plus a few more until the page has settled. Consecutive identical frames become one
 * frame.
 */
async function film(page: Page, frames: Frame[], isOver = () => true): Promise<void> {
  for (let more = FRAMES_TO_SETTLE; more > 0; more -= isOver() ? 1 : 0) {
    const png = await page.screenshot({ caret: 'hide' });
    if (!frames.at(-1)?.png.equals(png)) frames.push({ png, ms: MOVING_MS });
  }
  const last = frames.at(-1);
  if (last) last.ms = READING_MS;
}

async function writeWebp(frames: readonly Frame[], file: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'moving-picture-'));
  try {
    const named: string[] = [];
    for (const [index, { png, ms }] of frames.entries()) {
      const name = join(folder, `${String(index).padStart(4, '0')}.png`);
      await writeFile(name, png);
      named.push('-d', String(ms), name);
    }
    const write = () =>
      promisify(execFile)('img2webp', ['-loop', '0', '-lossy', '-q', '85', '-m', '6', ...named, '-o', file]);
    await write().catch((reason: NodeJS.ErrnoException) => {
      if (reason.code !== 'ENOENT' || !installFromDebian('webp')) throw reason;
      return write();
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
