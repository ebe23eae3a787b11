import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { lingui } from '@lingui/vite-plugin';
import { defineConfig } from 'vitest/config';

/** Returns a project with tests next to the code that run in Node. */
const nodeProject = (name: string, include: string, setupFiles: string[] = []) => ({
  test: { name, root: name, environment: 'node', include: [include], setupFiles },
});

/** True in `pnpm test`, which should take only minutes. `pnpm test --whole` and plain vitest run all tests. */
const isBrief = process.env.BRIEF !== undefined;

export default defineConfig({
  test: {
    // One more than cores, because tests spend a fifth of their time waiting.
    maxWorkers: Math.min(2, availableParallelism()) + 1,
    // Test files of a worker share modules, which is three times as fast. Each file restores its changes.
    isolate: false,
    setupFiles: [join(import.meta.dirname, 'vitest.setup.ts')],
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    // Long enough for any test on a busy machine, so it only ends hanging tests.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    tags: [{ name: 'whole', description: 'Slow, and mostly covered by other tests: only in a whole run.' }],
    projects: [
      nodeProject('shared', 'src/**/*.test.ts'),
      nodeProject('db', 'src/**/*.test.ts'),
      nodeProject('server', 'src/**/*.test.ts', ['vitest.setup.ts']),
      {
        test: {
          name: 'scripts',
          root: 'scripts',
          environment: 'node',
          include: ['**/*.test.ts'],
          exclude: ['node_modules', 'pack'],
        },
      },
      {
        test: {
          name: 'package',
          root: 'scripts/pack',
          environment: 'node',
          include: isBrief ? ['examples.test.ts', 'documents.test.ts', 'languages.test.ts'] : ['*.test.ts'],
          globalSetup: ['provide-package.ts'],
        },
      },
      {
        test: {
          // Run by `pnpm examples`, because it takes minutes.
          name: 'examples',
          root: 'scripts/pack/every-example',
          environment: 'node',
          include: ['*.test.ts'],
          globalSetup: ['../provide-package.ts'],
        },
      },
      {
        // Lingui's macros in the client need this plugin.
        plugins: [lingui({ macroTransform: true, configPath: join(import.meta.dirname, 'web/lingui.config.ts') })],
        test: {
          name: 'web',
          root: 'web',
          environment: 'jsdom',
          include: ['src/**/*.test.{ts,tsx}'],
          setupFiles: ['vitest.setup.ts'],
        },
      },
    ],
  },
});
