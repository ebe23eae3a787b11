import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lingui } from '@lingui/vite-plugin';
import { SERVER_SEGMENTS } from '@orchestrate/shared';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { contractWithoutSchemas } from './contract-without-schemas.ts';

const SERVER_PATHS = `^/(${SERVER_SEGMENTS.map((segment) => segment.replace('.', '\\.')).join('|')})(/|\\?|$)`;

/** Matches documents that the server serves under `/docs`, next to the client's reference page. */
const DOCUMENTS = '^/docs/.+\\.(json|txt)$';

/** Matches framework modules, except SWR's paged lists, which the sign-in page doesn't use. */
const FRAMEWORK = /\/node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|swr\/dist(?!\/infinite))\//;

/**
 * Modules that the sign-in page loads in addition to the modules of every page. Bundled into a single file instead of
 * two dozen.
 */
const SIGN_IN = [
  /\/web\/src\/features\/sign-in\/shared\/.+\.tsx?$/,
  /\/web\/src\/features\/sign-in\/(help-links|method|methods-skeleton|use-app-login)\.tsx?$/,
  /\/web\/src\/lib\/(api\/(api-bases|api-refusal|cache|call|pending-changes|timed-fetch|use-read)|address\/authenticator-links|format\/text)\.ts$/,
  /\/web\/src\/lib\/(notices\/result-text|time\/portal-time|session\/browser-state)\.ts$/,
  /\/web\/src\/(.+\/)?with-sign-in-words\.tsx?$/,
  /\/web\/src\/ui\/feedback\/(alert-line|message-page)\.tsx$/,
  /\/shared\/src\/(http|result-codes|endpoint|address-of|qr-address|contract\/(sign-in\/(app-login|sign-in)|settings\/settings))\.ts$/,
  /\/@chakra-ui\/react\/.+\/components\/(box|circle|grid|skeleton|square|stack)\//,
  /\/lucide-react\/.+\/icons\/(circle-exclamation-point|circle-question-mark|external-link|info|play|shield-check)\.mjs$/,
];

interface Modules {
  getModuleInfo: (id: string) => { importedIds: readonly string[] } | null;
}

/**
 * Returns true if a module or any of its imports contains messages. Catalogues are loaded before the code that uses
 * them, so a module with messages must not be in the chunk that all pages share.
 */
function hasMessages(id: string, modules: Modules, visited: Set<string> = new Set()): boolean {
  if (id.includes('/@lingui/')) return true;
  if (id.includes('/node_modules/') || visited.has(id)) return false;
  visited.add(id);
  return modules.getModuleInfo(id)?.importedIds.some((needed) => hasMessages(needed, modules, visited)) ?? false;
}

// The `dev` script sets `DEV_SERVER_URL` to the address of its server. The fallback is the default address of the
// `start` script.
const serverUrl = process.env.DEV_SERVER_URL ?? 'http://localhost:3000';

/** Directory of the router's production build, which the package's exports don't offer. */
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
    // The package's third-party notices include this list (scripts/pack).
    license: true,
    // Inlined assets would become data: URLs, which the content security policy forbids.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // scripts/client-size.ts limits each screen's gzipped size instead.
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // The framework chunk changes only with the lockfile, so browsers can cache it across releases.
          groups: [
            { name: 'react', test: FRAMEWORK },
            {
              name: 'first',
              tags: ['$initial'],
              // Keep the entry modules out of this chunk: the entry must remain a separate chunk.
              test: (id) => !/\/web\/(index\.html|src\/(main|app|routes)\.tsx)$/.test(id),
              includeDependenciesRecursively: false,
            },
            {
              name: 'sign-in',
              test: (id) => SIGN_IN.some((part) => part.test(id)),
              includeDependenciesRecursively: false,
            },
            // All screens with a form share Zod, so give it a separate chunk.
            { name: 'zod', test: /\/node_modules\/zod\// },
            // Only FAQ editors need the rich text editor and its dependencies, so give them a separate chunk.
            { name: 'prosemirror', test: /\/node_modules\/(prosemirror-\w+|orderedmap|rope-sequence|w3c-keyname)\// },
            { name: 'tiptap', test: /\/node_modules\/(@tiptap|linkifyjs)\// },
            {
              name: (id, ctx) => (hasMessages(id, ctx) ? null : 'common'),
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
