import { expect, test } from 'vitest';
import { cycleIn } from '../web/screen-files.ts';
import { type ViteManifest, weighClient } from './client-size.ts';

const manifest: ViteManifest = {
  '_react.js': { file: 'react.js' },
  '_first.js': { file: 'first.js', name: 'first', imports: ['_react.js'] },
  '_shell.js': { file: 'shell.js', name: 'shell', imports: ['_react.js', '_first.js'] },
  '_table.js': { file: 'table.js', imports: ['_shell.js'] },
  'src/features/roles/roles-screen.tsx': {
    file: 'roles.js',
    isDynamicEntry: true,
    imports: ['_react.js', '_table.js'],
  },
};

const sizes: Record<string, number> = {
  'react.js': 70_000,
  'first.js': 45_000,
  'shell.js': 100_000,
  'table.js': 5_000,
  'roles.js': 30_000,
};

const weigh = (changed: Record<string, number> = {}) =>
  weighClient(manifest, (file) => ({ ...sizes, ...changed })[file] ?? Number.NaN);

test('counts everything that the sign-in page and the dashboard need', () => {
  expect(weigh().slice(0, 2)).toEqual([
    expect.objectContaining({ own: 115_000, files: 2, isOver: false }),
    expect.objectContaining({ own: 215_000, files: 3, isOver: false }),
  ]);
});

test('measures other screens by their own file and its imports', () => {
  expect(weigh()[2]).toMatchObject({ part: 'features/roles/roles-screen.tsx', own: 30_000, total: 135_000, files: 3 });
});

test('flags a bundle that exceeds its budget', () => {
  const marks = (changed: Record<string, number>) => weigh(changed).map(({ isOver }) => isOver);
  expect(marks({ 'first.js': 80_001 })).toEqual([true, false, false]);
  expect(marks({ 'shell.js': 175_001 })).toEqual([false, true, false]);
  expect(marks({ 'roles.js': 60_001 })).toEqual([false, false, true]);
});

test('flags a bundle that loads too many files', () => {
  const screen = 'src/features/roles/roles-screen.tsx';
  const small = Array.from({ length: 11 }, (_, number) => `_small-${number}.js`);
  const many = (imports: string[]): ViteManifest => ({
    ...manifest,
    ...Object.fromEntries(small.map((key) => [key, { file: 'table.js' }])),
    [screen]: { file: 'roles.js', isDynamicEntry: true, imports },
  });
  const marks = (imports: string[]) => weighClient(many(imports), (file) => sizes[file] ?? Number.NaN);
  expect(marks(small).map(({ isOver }) => isOver)).toEqual([false, false, false]);
  expect(marks([...small, '_table.js']).map(({ isOver }) => isOver)).toEqual([false, false, true]);
});

test('fails if a chunk is missing', () => {
  const { '_shell.js': _, ...others } = manifest;
  expect(() => weighClient(others, () => 1)).toThrow('The manifest has no chunk named shell');
});

test('finds chunks that import each other', () => {
  const imports = (forms: string[]) =>
    new Map([
      ['shell', ['react']],
      ['parts', ['shell', 'forms']],
      ['forms', forms],
    ]);
  expect(cycleIn(imports(['shell', 'parts']))).toEqual(['parts', 'forms', 'parts']);
  expect(cycleIn(imports(['shell']))).toBeUndefined();
});
