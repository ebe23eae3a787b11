import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const read = (name: string) => readFileSync(join(import.meta.dirname, '..', name), 'utf8');

const DIGEST = /@sha256:[0-9a-f]{64}$/;

test('pins every base image by digest', () => {
  const stages = [...read('Dockerfile').matchAll(/^FROM (\S+)(?: AS (\S+))?$/gm)];
  const own = new Set(stages.map(([, , name]) => name));
  const bases = stages.flatMap(([, image = '']) => (own.has(image) ? [] : [image]));
  expect(bases).toHaveLength(2);
  for (const image of bases) expect(image).toMatch(DIGEST);
});

test('pins every image in the compose file by digest', () => {
  const images = [...read('docker-compose.yml').matchAll(/^ +image: (\S+)$/gm)].map(([, image]) => image);
  expect(images).toHaveLength(1);
  for (const image of images) expect(image).toMatch(DIGEST);
});

test('pins pnpm by hash and installs with the same version in the image', () => {
  const { packageManager }: { packageManager?: string } = JSON.parse(read('package.json'));
  const [, version] = /^pnpm@(12\.\d+\.\d+)\+sha512\.[0-9a-f]{128}$/.exec(packageManager ?? '') ?? [];
  expect(version).toBeDefined();
  const used = [...read('Dockerfile').matchAll(/\bpnpm@(\S+)/g)].map(([, found]) => found);
  expect(used).toEqual([version, version]);
});
