import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from '@lingui/conf';
import { formatter } from '@lingui/format-po';
import { createSwcExtractor } from '@lingui/native-tools';

/** What the sign-in page loads at first. */
const ENTRANCE = [
  'src/entrance',
  'src/features/sign-in/help-links.tsx',
  'src/features/sign-in/method.ts',
  'src/features/sign-in/methods-skeleton.tsx',
  'src/features/sign-in/sign-in-screen.tsx',
  'src/layout/loading-page.tsx',
  'src/layout/missing-parts.tsx',
  'src/layout/redirect-signed-in.tsx',
  'src/layout/screen-boundary.tsx',
  'src/lib/api/call.ts',
  'src/lib/notices/result-text.ts',
  'src/ui/message-page.tsx',
];

/** What it loads when a way of signing in, or a dialog, is opened; other pages use some of these too. */
const SIGN_IN = [
  'src/features/sign-in',
  'src/lib',
  'src/ui/approval-wait.tsx',
  'src/ui/copy-action.tsx',
  'src/ui/form-field.tsx',
  'src/ui/modal.tsx',
  'src/ui/tab-list.tsx',
  'src/ui/toast-region.tsx',
];

/** Pages for developers, each in a folder of its own. */
const TOOLS = ['authenticator', 'lab', 'reference', 'stage'];

/** The folders with words of their own; those of the static pages are shared, since every area may say “not found”. */
const FEATURES = readdirSync(join(import.meta.dirname, 'src/features'))
  .filter((name) => name !== 'static-pages')
  .map((name) => `src/features/${name}`);

const here = (paths: readonly string[]) => paths.map((path) => `<rootDir>/${path}`);

export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'de'],
  catalogs: [
    { path: '<rootDir>/src/entrance/words/{locale}', include: here(ENTRANCE) },
    { path: '<rootDir>/src/features/sign-in/words/{locale}', include: here(SIGN_IN), exclude: here(ENTRANCE) },
    ...TOOLS.map((name) => ({
      path: `<rootDir>/src/${name}/words/{locale}`,
      include: here([`src/${name}`]),
    })),
    {
      path: '<rootDir>/src/features/{name}/words/{locale}',
      include: here(['src/features/{name}']),
      exclude: here(['src/features/sign-in', 'src/features/static-pages']),
    },
    // What several pages share.
    {
      path: '<rootDir>/src/layout/words/{locale}',
      include: here(['src']),
      exclude: here([...ENTRANCE, ...TOOLS.map((name) => `src/${name}`), ...FEATURES]),
    },
  ],
  format: formatter({ origins: false }),
  extractors: [createSwcExtractor()],
  // One language per page: no provider, and constants may hold words.
  runtimeConfigModule: { i18n: ['#words', 'i18n'], Trans: ['#trans', 'Trans'] },
});
