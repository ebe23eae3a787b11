import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from '@lingui/conf';
import { formatter } from '@lingui/format-po';
import { createSwcExtractor } from '@lingui/native-tools';

/** Modules loaded first by the sign-in page. */
const SIGN_IN_PAGE = [
  'src/features/sign-in/shared',
  'src/features/sign-in/method.ts',
  'src/features/sign-in/methods-skeleton.tsx',
  'src/features/sign-in/sign-in-screen.tsx',
  'src/layout/missing-parts.tsx',
  'src/layout/redirect-signed-in.tsx',
  'src/layout/screen-boundary.tsx',
  'src/lib/api/call.ts',
  'src/lib/notices/result-text.ts',
  'src/ui/feedback/message-page.tsx',
];

/**
 * Modules that the sign-in page loads when a sign-in method or dialog is opened. Other pages also use some of these
 * modules.
 */
const SIGN_IN = [
  'src/features/sign-in',
  'src/lib',
  'src/ui/dialog/approval-wait.tsx',
  'src/ui/feedback/copy-action.tsx',
  'src/ui/form/form-field.tsx',
  'src/ui/dialog/modal.tsx',
  'src/ui/list/tab-list.tsx',
  'src/ui/feedback/toast-region.tsx',
];

/** Developer pages, each in a separate folder. */
const TOOLS = ['authenticator', 'demo', 'lab', 'reference'];

/**
 * Returns the paths in a feature that use the feature's message catalogue. Other features use its `shared` folder, so
 * messages from that folder and from the static pages are in the catalogue that all pages load.
 */
const featureParts = (name: string): string[] =>
  readdirSync(join(import.meta.dirname, 'src/features', name))
    .filter((part) => part !== 'shared' && part !== 'words')
    .map((part) => `src/features/${name}/${part}`);

const FEATURES = readdirSync(join(import.meta.dirname, 'src/features')).filter((name) => name !== 'static-pages');

const here = (paths: readonly string[]) => paths.map((path) => `<rootDir>/${path}`);

export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'de'],
  catalogs: [
    { path: '<rootDir>/src/features/sign-in/shared/words/{locale}', include: here(SIGN_IN_PAGE) },
    { path: '<rootDir>/src/features/sign-in/words/{locale}', include: here(SIGN_IN), exclude: here(SIGN_IN_PAGE) },
    ...TOOLS.map((name) => ({
      path: `<rootDir>/src/${name}/words/{locale}`,
      include: here([`src/${name}`]),
    })),
    ...FEATURES.filter((name) => name !== 'sign-in').map((name) => ({
      path: `<rootDir>/src/features/${name}/words/{locale}`,
      include: here(featureParts(name)),
    })),
    // Messages shared by several pages.
    {
      path: '<rootDir>/src/layout/words/{locale}',
      include: here(['src']),
      exclude: here([...SIGN_IN_PAGE, ...TOOLS.map((name) => `src/${name}`), ...FEATURES.flatMap(featureParts)]),
    },
  ],
  format: formatter({ origins: false }),
  extractors: [createSwcExtractor()],
  // Pages never change their language after loading, so they don't need a provider, and constants can contain
  // messages.
  runtimeConfigModule: { i18n: ['#words', 'i18n'], Trans: ['#trans', 'Trans'] },
});
