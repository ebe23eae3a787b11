import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { lingui } from '@lingui/vite-plugin';
import { defineConfig } from 'vitest/config';

/** A project whose tests are beside the code and run in Node. */
const nodeProject = (name: string, include: string, setupFiles: string[] = []) => ({
  test: { name, root: name, environment: 'node', include: [include], setupFiles },
});

/** `pnpm test` is to end within minutes; `--whole`, and vitest by itself, run all there is. */
const isBrief = process.env.BRIEF !== undefined;

export default defineConfig({
  test: {
    // One more than there are cores: tests wait for a fifth of their time.
    maxWorkers: Math.min(2, availableParallelism()) + 1,
    // The files of a worker share their modules, which takes a third of the time. Each file restores what it changes.
    isolate: false,
    setupFiles: [join(import.meta.dirname, 'vitest.setup.ts')],
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    // Only work that hangs takes this long, however busy the machine is.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    tags: [
      { name: 'whole', description: 'Takes long, and looks at what other tests nearly cover: only in a whole run.' },
    ],
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
          include: isBrief ? ['examples.test.ts', 'documents.test.ts'] : ['*.test.ts'],
          globalSetup: ['provide-package.ts'],
        },
      },
      {
        test: {
          // Its own command, `pnpm examples`, because it takes minutes.
          name: 'examples',
          root: 'scripts/pack/every-example',
          environment: 'node',
          include: ['*.test.ts'],
          globalSetup: ['../provide-package.ts'],
        },
      },
      {
        // The words of the client are macros.
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
