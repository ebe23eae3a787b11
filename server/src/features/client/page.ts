import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import negotiate from '@fastify/accept-negotiator';
import { organisationRepo } from '@orchestrate/db';
import { brandVariables, type OrgSettings, type ScreenFiles, screenAt } from '@orchestrate/shared';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { portalLoginPolicy } from '#core/sign-in/login-policy.ts';
import { orgSettingsOf } from '#core/sign-in/org-settings.ts';
import type { Deps } from '#deps.ts';
import { boundedCache } from '#platform/cache.ts';
import { appLook, frontLook } from './first-look.ts';

const PAGES_MAX = 200;

/** A route with its files, and what the client reads on startup and for its screen (`web/screen-files.ts`). */
interface Screen extends ScreenFiles {
  startReads: unknown[];
}

interface Built {
  html: string;
  files: string[];
  screens: Screen[];
}

/** What a page depends on. */
interface Variant {
  /** Path pattern of the screen. */
  path: string | undefined;
  /** The organisation's code as it is in the address, and its public settings. */
  orgCode?: string;
  settings?: OrgSettings;
  /** True if the sign-in screen opens without a method and without an application. */
  isFront?: boolean;
}

function readBuilt(folder: string): Built | undefined {
  const file = join(folder, 'index.html');
  if (!existsSync(file)) return undefined;
  const list = join(folder, '.vite/screens.json');
  const listed = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : { files: [], screens: [] };
  return { ...listed, html: readFileSync(file, 'utf8') };
}

/** Returns the CSP source expressions of the built page's inline scripts (CSP 3 §2.3.1). */
export function inlineScriptsOf(folder: string): string[] {
  const scripts = readBuilt(folder)?.html.matchAll(/<script>(.*?)<\/script>/gs) ?? [];
  return Array.from(scripts, ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
}

/**
 * Returns a function that sends the client's page, or undefined if the client hasn't been built. The page names the
 * files of the screen that its address opens, so that the browser loads them all at once, and contains the public
 * settings of the organisation in the address.
 */
export function clientPage(deps: Pick<Deps, 'db' | 'isFaulty'>, folder: string) {
  const built = readBuilt(folder);
  if (!built) return undefined;
  const render = boundedCache((key) => answerOf(renderPage(built, JSON.parse(key))), PAGES_MAX);
  return (request: FastifyRequest, reply: FastifyReply, status: number): FastifyReply => {
    const { etag, bodyIn } = render(JSON.stringify(variantFor(deps, built, request.url)));
    reply.headers({ 'cache-control': 'no-cache', vary: 'accept-encoding', etag });
    if (status === 200 && request.headers['if-none-match'] === etag) return reply.code(304).send();
    const accepted = request.headers['accept-encoding']?.toLowerCase() ?? '';
    const encoding = negotiate(accepted, ['br', 'gzip'] satisfies Encoding[]) as Encoding | null;
    if (encoding) reply.header('content-encoding', encoding);
    return reply.code(status).type('text/html; charset=utf-8').send(bodyIn(encoding));
  };
}

type Encoding = 'br' | 'gzip';

const COMPRESS: Record<Encoding, (text: string) => Buffer> = {
  br: (text) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (text) => gzipSync(text),
};

/** A page with its ETag, compressed on first use. */
function answerOf(html: string) {
  const compressed = new Map<Encoding, Buffer>();
  return {
    etag: `W/"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`,
    bodyIn(encoding: Encoding | null): Buffer {
      if (!encoding) return Buffer.from(html);
      const body = compressed.get(encoding) ?? COMPRESS[encoding](html);
      compressed.set(encoding, body);
      return body;
    },
  };
}

function variantFor(deps: Pick<Deps, 'db' | 'isFaulty'>, { screens }: Built, url: string): Variant {
  const [path = '', query = ''] = url.split('?', 2);
  const screen = screenAt(screens, path);
  const isOfOrganisation = screen?.path.startsWith('/:orgId') ?? false;
  // The client reads the settings itself while the lab makes requests fail.
  if (!screen || !isOfOrganisation || deps.isFaulty()) return { path: screen?.path };
  const orgCode = path.split('/')[1] ?? '';
  const organisation = organisationRepo.findOrganisation(deps.db, orgCode.toLowerCase());
  if (!organisation) return { path: screen.path };
  return {
    path: screen.path,
    orgCode,
    settings: orgSettingsOf(organisation, portalLoginPolicy(deps.db, organisation)),
    isFront: /^\/:orgId(?:\/sign-in)?$/.test(screen.path) && query === '',
  };
}

function renderPage({ html, files, screens }: Built, { path, orgCode, settings, isFront = false }: Variant): string {
  const screen = screens.find((each) => each.path === path);
  if (!screen) return html.replace('<!--start-->', '');
  const urlsOf = (indexes: readonly number[] = []) => indexes.map((at) => `/${files[at]}`);
  const words = Object.fromEntries(Object.entries(screen.words).map(([tag, indexes]) => [tag, urlsOf(indexes)]));
  const reads = [...screen.startReads, ...screen.reads];
  const others = screens.map(({ startReads: _, ...each }) => each);
  const start = { orgCode, settings, words, reads, files, screens: others };
  const preloads = urlsOf(screen.code)
    .filter((url) => !html.includes(`"${url}"`))
    .map((url) => `<link rel="modulepreload" crossorigin href="${url}">`);
  return html
    .replace('<!--start-->', () => `<script type="application/json" id="start">${jsonInHtml(start)}</script>`)
    .replace('</head>', () => `${preloads.join('\n    ')}\n  </head>`)
    .replace(ROOT, (tag) => tag.replace('><', () => `>${lookOf(screen, settings, isFront)}<`))
    .replace('<html lang="en">', (tag) => (settings ? `<html lang="en" style="${brandStyle(settings)}">` : tag));
}

const ROOT = '<div id="root"></div>';

/** Returns what a page displays before the client is loaded: the outlines of its screen. */
function lookOf({ path, startReads }: Screen, settings: OrgSettings | undefined, isFront: boolean): string {
  if (settings) return path.endsWith('/faq') ? '' : frontLook(settings, isFront);
  return startReads.length > 0 ? appLook(path === '/dashboard') : '';
}

const brandStyle = ({ color }: OrgSettings): string =>
  Object.entries(brandVariables(color))
    .map(([name, value]) => `${name}:${value}`)
    .join(';');

/** Returns JSON that can't end the script element that contains it. */
const jsonInHtml = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');
