import { expect, test } from 'vitest';
import { type ViteManifest, weighClient } from './client-size.ts';

const manifest: ViteManifest = {
  'index.html': { file: 'entry.js', isEntry: true, imports: ['_react.js'] },
  '_react.js': { file: 'react.js' },
  '_forms.js': { file: 'forms.js', imports: ['_react.js'] },
  '_table.js': { file: 'table.js', imports: ['_forms.js'] },
  'src/features/sign-in/sign-in-screen.tsx': { file: 'sign-in.js', isDynamicEntry: true, imports: ['_forms.js'] },
  'src/features/dashboard/dashboard-screen.tsx': {
    file: 'dashboard.js',
    isDynamicEntry: true,
    imports: ['_react.js', '_table.js'],
  },
};

const sizes: Record<string, number> = {
  'entry.js': 20_000,
  'react.js': 70_000,
  'forms.js': 10_000,
  'sign-in.js': 15_000,
  'table.js': 5_000,
  'dashboard.js': 30_000,
};

const weigh = (changed: Record<string, number> = {}) =>
  weighClient(manifest, (file) => ({ ...sizes, ...changed })[file] ?? Number.NaN);

test('counts everything the sign-in button needs towards the sign-in page', () => {
  expect(weigh()[0]).toMatchObject({ own: 115_000, isOver: false });
});

test('measures other screens by their own file and its imports', () => {
  expect(weigh()[1]).toMatchObject({
    part: 'features/dashboard/dashboard-screen.tsx',
    own: 30_000,
    total: 35_000,
    files: 2,
  });
});

test('flags a bundle that exceeds its budget', () => {
  expect(weigh({ 'sign-in.js': 50_001 }).map(({ isOver }) => isOver)).toEqual([true, false]);
  expect(weigh({ 'dashboard.js': 60_001 }).map(({ isOver }) => isOver)).toEqual([false, true]);
});

test('flags a bundle that loads too many files', () => {
  const small = Array.from({ length: 49 }, (_, number) => `_small-${number}.js`);
  const screen = 'src/features/dashboard/dashboard-screen.tsx';
  const many = (imports: string[]): ViteManifest => ({
    ...manifest,
    ...Object.fromEntries(small.map((key) => [key, { file: 'table.js' }])),
    [screen]: { file: 'dashboard.js', isDynamicEntry: true, imports },
  });
  const marks = (imports: string[]) => weighClient(many(imports), (file) => sizes[file] ?? Number.NaN);
  expect(marks(small).map(({ isOver }) => isOver)).toEqual([false, false]);
  expect(marks([...small, '_table.js']).map(({ isOver }) => isOver)).toEqual([false, true]);
});

test('fails if the client has no lazy sign-in screen', () => {
  const { 'src/features/sign-in/sign-in-screen.tsx': _, ...others } = manifest;
  expect(() => weighClient(others, () => 1)).toThrow('no lazy src/features/sign-in/sign-in-screen.tsx');
});
