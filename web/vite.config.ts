import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lingui } from '@lingui/vite-plugin';
import { SERVER_SEGMENTS } from '@orchestrate/shared';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { contractWithoutSchemas } from './contract-without-schemas.ts';
import { screenFiles } from './screen-files.ts';

const SERVER_PATHS = `^/(${SERVER_SEGMENTS.map((segment) => segment.replace('.', '\\.')).join('|')})(/|\\?|$)`;

/** Matches documents that the server serves under `/docs`, next to the client's reference page. */
const DOCUMENTS = '^/docs/.+\\.(json|txt)$';

/** The framework. Its chunk changes only with the lockfile, so browsers can cache it across releases. */
const FRAMEWORK =
  /rolldown\/runtime|\/node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|swr|dequal|use-sync-external-store)\//;

/** Modules of the sign-in methods, which load after the sign-in page. */
const METHODS = [
  /\/web\/src\/features\/sign-in\/(sign-in-methods|request-panel|running-sign-in|use-sign-in|exchange-sign-in|remembered-person)\.tsx?$/,
  /\/web\/src\/ui\/(form\/typed-code|text\/qr-code)\.tsx?$/,
  /\/shared\/src\/live\/login\.ts$/,
  /\/qrcode\.react\//,
];

/** What both the sign-in methods and the other screens use: writes, and the entries of the contract without schemas. */
const CALLS = [
  /\/web\/src\/lib\/(api\/(use-write|use-live|cache-groups)|time\/timers|browser\/use-copy)\.ts$/,
  /\/web\/src\/ui\/(feedback\/(countdown|renewable|copy-action)|list\/tab-list|text\/(brand-mark|initials-avatar))\.tsx$/,
  /\/web\/src\/words\/with-words\.ts$/,
  /\/shared\/src\/(?!fields|url-field|words|authenticator|world).+\.ts$/,
  /\/lucide-react\/.+\/icons\/(check|circle-check|circle-x|clock|copy|key-round|refresh-cw|smartphone|x)\.mjs$/,
];

/** Zod, forms and schemas. Only screens and dialogs with a form load them. */
const FORMS =
  /\/node_modules\/(zod|react-hook-form|@hookform)\/|\/shared\/src\/(fields|url-field)\.ts$|\/shared\/src\/.+\?schemas$/;

/** The private area's frame, and what most screens use. */
const SHELL = [
  /\/web\/src\/(private-routes\.tsx$|layout\/|lib\/|words\/trans|ui\/(chart|dialog|feedback|list\/(?!list-preferences)|text\/(?!rich-text\/(?!text-in-html))|form\/(checkbox|form-field|select|switch)|editing\/(unsaved|three-way))|features\/((devices|settings|sign-ins)\/shared\/|audit\/shared\/activity-address))/,
  /\/node_modules\/(@zag-js|@ark-ui|@floating-ui|@chakra-ui|@internationalized|@lingui|date-fns|lucide-react|@simplewebauthn)\//,
  /\/shared\/src\/authenticator\/describe-browser\.ts$/,
];

/** The first screen after a sign-in, which is in the same chunk. Its catalogues are loaded with those of the shell. */
const HOME = /\/web\/src\/features\/(?:dashboard\/|devices\/own-devices)/;

/** Parts of the client with their own catalogues, whose messages no other part may contain. */
const OWN_WORDS = /\/web\/src\/(?:features\/([\w-]+)\/(?!shared\/)|(authenticator|demo|lab|reference)\/)/;

/**
 * The sign-in page's catalogues, and those of the shell and the first screen, by language. The latter include a copy of
 * the sign-in page's first catalogue.
 */
const WORDS =
  /\/src\/(?:features\/(?:sign-in\/(?:shared\/)?|dashboard\/|devices\/)|layout\/)words\/(\w+)\.po(\?lingui)?$/;

const isAnyOf = (patterns: readonly RegExp[]) => (id: string) => patterns.some((pattern) => pattern.test(id));

interface ModuleInfo {
  importedIds: readonly string[];
  importers: readonly string[];
  dynamicImporters: readonly string[];
}

interface Modules {
  getModuleInfo: (id: string) => ModuleInfo | null;
}

/** Returns true if a module of the client or its imports need forms. */
function needsForms(id: string, modules: Modules, visited: Set<string> = new Set()): boolean {
  if (FORMS.test(id)) return true;
  if (id.includes('/node_modules/') || id.includes('/shared/src/') || visited.has(id)) return false;
  visited.add(id);
  return modules.getModuleInfo(id)?.importedIds.some((needed) => needsForms(needed, modules, visited)) ?? false;
}

/**
 * Returns the name of a module's chunk if screens share the module. Messages are loaded before the code that uses them,
 * so modules with messages of one catalogue must not be in a chunk that is loaded without it. These chunks are loaded
 * after the messages that all pages share.
 */
function shellChunkOf(id: string, modules: Modules): string | null {
  const isLazy = (modules.getModuleInfo(id)?.dynamicImporters.length ?? 0) > 0;
  if (FORMS.test(id)) return 'forms';
  if (id.includes('.po') || (isLazy && !LOADED_EARLY.test(id))) return null;
  if (HOME.test(id)) return 'shell';
  if (OWN_WORDS.test(id)) return null;
  if (id.includes('/web/src/') && needsForms(id, modules)) return 'forms';
  return isAnyOf(SHELL)(id) ? 'shell' : null;
}

function wordsChunkOf(id: string): string | null {
  const [, language, copy] = WORDS.exec(id) ?? [];
  if (!language) return null;
  return id.includes('/sign-in/') && !copy ? `${language}-first` : `${language}-shell`;
}

/** Lists all private screens. */
const PRIVATE_ROUTES = /\/web\/src\/private-routes\.tsx$/;

/**
 * Returns the name of the chunk of a feature's private screens and what they import from the feature, so that opening a
 * screen loads one file with its code. Screens with forms have a separate chunk, because others don't need that code.
 */
const screensChunkOf = (hasForms: boolean) => (id: string, modules: Modules) => {
  const [, feature] = OWN_WORDS.exec(id) ?? [];
  const screens = feature && !id.includes('.po') ? screensUsing(id, feature, modules) : [];
  if (screens.length === 0 || screens.every((screen) => needsForms(screen, modules)) !== hasForms) return null;
  return `${feature}-${hasForms ? 'forms' : 'screens'}`;
};

/** Returns the private screens of a feature that import a module. */
function screensUsing(id: string, feature: string, modules: Modules, visited: Set<string> = new Set()): string[] {
  if (visited.has(id) || !id.includes(`/web/src/features/${feature}/`)) return [];
  visited.add(id);
  const { importers = [], dynamicImporters = [] } = modules.getModuleInfo(id) ?? {};
  const own = dynamicImporters.some((importer) => PRIVATE_ROUTES.test(importer)) ? [id] : [];
  return [...own, ...importers.flatMap((importer) => screensUsing(importer, feature, modules, visited))];
}

/** Parts of the shell that are imported lazily to load their words first. */
const LOADED_EARLY =
  /\/web\/src\/(private-routes|ui\/feedback\/toast-region|features\/(dashboard\/dashboard-screen|devices\/own-devices))\.tsx$/;

/** Returns the name of the chunk of a module that several parts of the client share. */
function partsChunkOf(id: string): string | null {
  if (id.includes('.po') || id.includes('/shared/src/') || OWN_WORDS.test(id)) return null;
  return id.includes('/web/src/') ? 'parts' : 'libraries';
}

/** Returns the name of the chunk of a module that several dialogs or pages of one part of the client share. */
function ownPartsChunkOf(id: string): string | null {
  const [, feature, tool] = OWN_WORDS.exec(id) ?? [];
  return id.includes('.po') || !(feature ?? tool) ? null : `${feature ?? tool}-parts`;
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
  plugins: [
    lingui({ macroTransform: true, failOnCompileError: true }),
    contractWithoutSchemas(),
    screenFiles(),
    react(),
  ],
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
            { name: 'react', test: FRAMEWORK, includeDependenciesRecursively: false },
            { name: 'first', tags: ['$initial'], includeDependenciesRecursively: false },
            { name: 'methods', test: isAnyOf(METHODS), includeDependenciesRecursively: false },
            { name: 'calls', test: isAnyOf(CALLS), minShareCount: 2, includeDependenciesRecursively: false },
            // Only FAQ editors need the rich text editor and its dependencies, so give them a separate chunk.
            {
              name: 'editor',
              test: /\/node_modules\/(prosemirror-\w+|orderedmap|rope-sequence|w3c-keyname|@tiptap|linkifyjs)\//,
            },
            {
              name: 'rich-text',
              test: /\/web\/src\/ui\/text\/rich-text\/(?!text-in-html)|\/dompurify\//,
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
            { name: wordsChunkOf, debugName: 'words', includeDependenciesRecursively: false },
            { name: shellChunkOf, debugName: 'shell', includeDependenciesRecursively: false },
            { name: partsChunkOf, debugName: 'parts', minShareCount: 2, includeDependenciesRecursively: false },
            { name: screensChunkOf(false), debugName: 'screens' },
            { name: screensChunkOf(true), debugName: 'screens with forms' },
            { name: ownPartsChunkOf, debugName: 'own parts', minShareCount: 2, includeDependenciesRecursively: false },
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
