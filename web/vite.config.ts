import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lingui } from '@lingui/vite-plugin';
import { SERVER_SEGMENTS } from '@orchestrate/shared';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { contractWithoutSchemas } from './contract-without-schemas.ts';

const SERVER_PATHS = `^/(${SERVER_SEGMENTS.map((segment) => segment.replace('.', '\\.')).join('|')})(/|\\?|$)`;

/** Beside the page of the reference, which is the client's. */
const DOCUMENTS = '^/docs/.+\\.(json|txt)$';

/** SWR without its paged lists, which the sign-in page doesn't use. */
const FRAMEWORK = /\/node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|swr\/dist(?!\/infinite))\//;

/** What the sign-in page has besides what every page loads at first: one file is smaller than two dozen. */
const SIGN_IN = [
  /\/web\/src\/features\/sign-in\/shared\/.+\.tsx?$/,
  /\/web\/src\/features\/sign-in\/(help-links|method|methods-skeleton|use-app-login)\.tsx?$/,
  /\/web\/src\/lib\/(api\/(api-bases|api-refusal|cache|call|pending-changes|timed-fetch|use-read)|address\/qr-template|format\/text)\.ts$/,
  /\/web\/src\/lib\/(notices\/result-text|time\/portal-time|session\/browser-state)\.ts$/,
  /\/web\/src\/(.+\/)?with-sign-in-words\.tsx?$/,
  /\/web\/src\/ui\/feedback\/(alert-line|message-page)\.tsx$/,
  /\/shared\/src\/(http|result-codes|endpoint|address-of|contract\/(sign-in\/(app-login|sign-in)|settings\/settings))\.ts$/,
  /\/@chakra-ui\/react\/.+\/components\/(box|circle|grid|skeleton|square|stack)\//,
  /\/lucide-react\/.+\/icons\/(circle-exclamation-point|circle-question-mark|external-link|info|play|shield-check)\.mjs$/,
];

interface Modules {
  getModuleInfo: (id: string) => { importedIds: readonly string[] } | null;
}

/**
 * Whether a module, or one that it needs, takes words from the catalogue. Those are loaded before the part of the
 * client that says them, so such a module must not be loaded with what all parts share.
 */
function speaks(id: string, modules: Modules, asked: Set<string> = new Set()): boolean {
  if (id.includes('/@lingui/')) return true;
  if (id.includes('/node_modules/') || asked.has(id)) return false;
  asked.add(id);
  return modules.getModuleInfo(id)?.importedIds.some((needed) => speaks(needed, modules, asked)) ?? false;
}

// `dev` sets it and starts the server there; the fallback is where `start` listens.
const serverUrl = process.env.DEV_SERVER_URL ?? 'http://localhost:3000';

/** The router's exports name only its build with warnings for developers; the one for production is beside it. */
const ROUTER = join(
  dirname(fileURLToPath(import.meta.resolve('react-router-dom'))),
  '../../react-router/dist/production',
);

export default defineConfig({
  resolve: {
    alias: [
      { find: /^react-router$/, replacement: join(ROUTER, 'index.mjs') },
      { find: /^react-router\/dom$/, replacement: join(ROUTER, 'dom-export.mjs') },
    ],
  },
  plugins: [lingui({ macroTransform: true, failOnCompileError: true }), contractWithoutSchemas(), react()],
  build: {
    target: 'es2023',
    manifest: true,
    // Small assets would become data: addresses, which the content security policy would then have to allow.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // What a screen may weigh is judged by scripts/client-size.ts, gzipped and per screen.
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Changes only with the lockfile, so a browser keeps it from one release to the next.
          groups: [
            { name: 'react', test: FRAMEWORK },
            {
              name: 'first',
              tags: ['$initial'],
              // The entry itself has to remain one.
              test: (id) => !/\/web\/(index\.html|src\/(main|app|routes)\.tsx)$/.test(id),
              includeDependenciesRecursively: false,
            },
            {
              name: 'sign-in',
              test: (id) => SIGN_IN.some((part) => part.test(id)),
              includeDependenciesRecursively: false,
            },
            // Shared by every screen with a form, and by none without one.
            { name: 'zod', test: /\/node_modules\/zod\// },
            // The rich text editor and its dependencies: only people who write answers need it.
            { name: 'prosemirror', test: /\/node_modules\/(prosemirror-\w+|orderedmap|rope-sequence|w3c-keyname)\// },
            { name: 'tiptap', test: /\/node_modules\/(@tiptap|linkifyjs)\// },
            {
              name: (id, ctx) => (speaks(id, ctx) ? null : 'common'),
              debugName: 'common',
              minShareCount: 4,
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
  server: {
    strictPort: true,
    proxy: { [SERVER_PATHS]: { target: serverUrl, ws: true }, [DOCUMENTS]: { target: serverUrl } },
  },
});
