import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { makeSession } from '@orchestrate/shared';
import { createPortalCall } from '@orchestrate/shared/authenticator';
import { type BrowserContextOptions, chromium } from '@playwright/test';
import { build } from 'rolldown';
import {
  loadPage,
  type Move,
  moveBy,
  type PageLoad,
  saveData,
  waitForPreloads,
  watchLoads,
} from '../../../../web/e2e/fixtures/page-load.ts';
import { requireChromium } from '../../../find-chromium.ts';
import { median } from '../duration.ts';
import { PORTAL_ENTRY, portalEnv, startProgram } from '../programs.ts';
import { atMost, type Measurement, type Row } from '../row.ts';

const ROUNDS = 3;
/** How long people point at a link before they press it, at least. */
const REST_MS = 200;
const WEB = join(import.meta.dirname, '../../../../web');

export const firstPaint: Row = {
  name: 'first-paint',
  title: 'First screens on a slow connection',
  about: `Chromium with 1.6 Mbit/s and 150 ms until each response starts. FCP is when the browser first displays text, LCP when it displays the largest text.
The bare page is React and React DOM with one heading and one button, in one file, from a server without other work: no router, data, languages or
design. “Cold” is with an empty cache, “warm” when the page is opened again. A move is from the click until the screen has its data: cold right after
the dashboard, and warm when the menu’s screens have been loaded ahead, also with a pointer that has rested on the link for ${REST_MS} ms. Medians of ${ROUNDS} rounds. These are wall-clock times, so other load on the
machine matters.`,
  run: timeFirstScreens,
};

async function timeFirstScreens(folder: string): Promise<Measurement[]> {
  const portal = await startProgram(PORTAL_ENTRY, {
    path: '/api/health',
    env: portalEnv(join(folder, 'portal.db')),
    log: join(folder, 'log'),
  });
  const bare = await serveBarePage(folder);
  const browser = await chromium.launch({ executablePath: requireChromium(), args: ['--disable-gpu'] });

  /** Opens a page in a new browser context, and again with its cache. */
  async function visit(url: string, options: BrowserContextOptions = {}) {
    const context = await browser.newContext({ viewport: { width: 1_440, height: 900 }, ...options });
    const page = await context.newPage();
    // Files that are loaded ahead are counted separately.
    await saveData(page);
    const session = await watchLoads(page);
    const cold = await loadPage(page, session, () => page.goto(url));
    const warm = await loadPage(page, session, () => page.goto(url));
    await context.close();
    return { cold, warm };
  }

  /** Opens the dashboard in a new browser context and moves to other screens. */
  async function move(url: string, options: BrowserContextOptions, isWarm: boolean, restMs = 0) {
    const context = await browser.newContext({ viewport: { width: 1_440, height: 900 }, ...options });
    const page = await context.newPage();
    if (!isWarm) await saveData(page);
    const session = await watchLoads(page);
    await loadPage(page, session, () => page.goto(url));
    const ahead = isWarm ? await waitForPreloads(page, session) : undefined;
    const moves = [];
    for (const name of isWarm ? ['Manage Users', 'Applications', 'Sign-ins'] : ['Manage Users'])
      moves.push(await moveBy(page, session, page.getByRole('link', { name, exact: true }).first(), restMs));
    await context.close();
    return { moves, ahead };
  }

  try {
    // Stored sessions belong to an origin, and the portal's is `localhost`.
    const url = portal.url.replace('127.0.0.1', 'localhost');
    const { storageState } = await createPortalCall({ baseUrl: portal.url })(makeSession, {
      body: { email: 'super.admin@acme.test' },
    });
    const visitAll = async () => ({
      bare: await visit(bare.url),
      signIn: await visit(`${url}/acme/sign-in`),
      dashboard: await visit(`${url}/dashboard`, { storageState }),
    });
    const moveAll = async () => ({
      cold: await move(`${url}/dashboard`, { storageState }, false),
      warm: await move(`${url}/dashboard`, { storageState }, true),
      pointed: await move(`${url}/dashboard`, { storageState }, true, REST_MS),
    });
    const rounds = [{ ...(await visitAll()), move: await moveAll() }];
    while (rounds.length < ROUNDS) rounds.push({ ...(await visitAll()), move: await moveAll() });
    const coldMoves = rounds.map((round) => round.move.cold.moves);
    const warmMoves = rounds.map((round) => round.move.warm.moves);
    const pointedMoves = rounds.map((round) => round.move.pointed.moves);
    const ahead = rounds.map((round) => round.move.warm.ahead ?? 0);
    const of = (name: 'bare' | 'signIn' | 'dashboard', when: 'cold' | 'warm') =>
      rounds.map((round) => round[name][when]);
    const bareCold = of('bare', 'cold');
    const bareWarm = of('bare', 'warm');
    return [
      timed('sign-in, cold: FCP', of('signIn', 'cold'), bareCold, 'firstPaint', 600),
      timed('sign-in, cold: LCP', of('signIn', 'cold'), bareCold, 'largestPaint', 1_300),
      counted('sign-in, cold: requests', of('signIn', 'cold'), bareCold, 8),
      timed('sign-in, warm: LCP', of('signIn', 'warm'), bareWarm, 'largestPaint', 500),
      timed('dashboard, cold: LCP', of('dashboard', 'cold'), bareCold, 'largestPaint', 2_100),
      counted('dashboard, cold: requests', of('dashboard', 'cold'), bareCold, 14),
      timed('dashboard, warm: LCP', of('dashboard', 'warm'), bareWarm, 'largestPaint', 500),
      { what: 'files loaded ahead after the dashboard', ours: String(median(ahead)) },
      ...movesOf('move, cold', coldMoves, 4),
      ...movesOf('move, warm', warmMoves, 4, 250),
      ...movesOf('move, warm, pointed at', pointedMoves, 4, 250),
    ];
  } finally {
    await browser.close();
    bare.close();
    await portal.stop();
  }
}

/** Reports the longest time and the most requests of the moves in a round. */
function movesOf(what: string, rounds: Move[][], requests?: number, time?: number): Measurement[] {
  const most = (value: (move: Move) => number) => rounds.map((moves) => Math.max(...moves.map(value)));
  const [times, counts] = [most((move) => move.time), most((move) => move.requests.length)];
  return [
    {
      what: `${what}: time`,
      ours: `${Math.round(median(times))} ms`,
      ...(time !== undefined && atMost(time, times, 'ms')),
    },
    {
      what: `${what}: requests`,
      ours: String(median(counts)),
      ...(requests !== undefined && atMost(requests, counts)),
    },
  ];
}

type Painted = 'firstPaint' | 'largestPaint';

function timed(what: string, ours: PageLoad[], bare: PageLoad[], paint: Painted, most: number): Measurement {
  const [own, other] = [ours, bare].map((loads) => median(loads.map((load) => load[paint]))) as [number, number];
  return {
    what,
    ours: `${Math.round(own)} ms`,
    bare: `${Math.round(other)} ms`,
    ratio: own / other,
    ...atMost(
      most,
      ours.map((load) => load[paint]),
      'ms',
    ),
  };
}

function counted(what: string, ours: PageLoad[], bare: PageLoad[], most: number): Measurement {
  const [own, other] = [ours, bare].map((loads) => median(loads.map(({ requests }) => requests.length))) as [
    number,
    number,
  ];
  const results = ours.map(({ requests }) => requests.length);
  return { what, ours: String(own), bare: String(other), ...atMost(most, results) };
}

const BARE = `
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
createRoot(document.getElementById('root')).render([
  createElement('h1', { key: 'title' }, 'Sign in to Acme'),
  createElement('button', { key: 'button' }, 'Sign in'),
]);
`;

/** Serves a page with React and nothing else. */
async function serveBarePage(folder: string): Promise<{ url: string; close(): void }> {
  const [input, file] = [join(folder, 'bare.js'), join(folder, 'bare-built.js')];
  writeFileSync(input, BARE);
  await build({
    input,
    resolve: { modules: ['node_modules', join(WEB, 'node_modules')] },
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    platform: 'browser',
    output: { file, minify: true },
  });
  const script = brotliCompressSync(readFileSync(file));
  const html = '<!doctype html><title>Bare</title><div id="root"></div><script type="module" src="/bare.js"></script>';
  const server = createServer((request, response) => {
    if (request.url !== '/bare.js') return void response.setHeader('content-type', 'text/html').end(html);
    response.setHeader('content-type', 'text/javascript').setHeader('content-encoding', 'br');
    response.setHeader('cache-control', 'public, max-age=31536000, immutable').end(script);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, close: () => void server.close() };
}
