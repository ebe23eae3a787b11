import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '..');
const read = (name: string) => readFileSync(join(ROOT, name), 'utf8');

const DIGEST = /@sha256:[0-9a-f]{64}$/;

test('pins every base image by digest', () => {
  const stages = [...read('Dockerfile').matchAll(/^FROM (\S+)(?: AS (\S+))?$/gm)];
  const own = new Set(stages.map(([, , name]) => name));
  const bases = stages.flatMap(([, image = '']) => (own.has(image) ? [] : [image]));
  expect(bases).toHaveLength(2);
  for (const image of bases) expect(image).toMatch(DIGEST);
});

test('runs the README’s two commands and the package’s tests in the workflows, on known systems', () => {
  const { jobs } = parse(read('.github/workflows/test.yml'));
  const commands = (job: { steps: { run?: string }[] }) => job.steps.map(({ run = '' }) => run).join('\n');
  const [, shown = ''] = /^\*\*To try it\*\*.*?```sh\n(.*?)```/ms.exec(read('README.md')) ?? [];
  const documented = shown
    .trim()
    .split('\n')
    .map((line) => line.replace(/\s+#.*$/, ''));
  expect(documented).toEqual(['npx -y pnpm@12 start', 'npx -y pnpm@12 test']);
  for (const command of documented) expect(commands(jobs.readme)).toContain(command);
  const files = commands(jobs.package).match(/\w+\.test\.ts/g) ?? [];
  expect(files.length).toBeGreaterThan(2);
  for (const file of files) expect(existsSync(join(ROOT, 'scripts/pack', file)), file).toBe(true);
  const systems: string[] = jobs.package.strategy.matrix.os;
  expect(new Set(systems.map((system) => system.split('-')[0]))).toEqual(new Set(['ubuntu', 'macos', 'windows']));
});

test('names only folders and scripts that exist in the workflows and the update configuration', () => {
  const workflows = globSync('.github/workflows/*.yml', { cwd: ROOT }).map(read);
  const scripts = workflows.flatMap((text) => [...text.matchAll(/npx -y pnpm@12 (\w+)/g)].map(([, name]) => name));
  const known = [...Object.keys(JSON.parse(read('package.json')).scripts), 'install', 'exec'];
  expect(scripts.filter((name = '') => !known.includes(name))).toEqual([]);
  const { updates }: { updates: { directory?: string; directories?: string[] }[] } = parse(
    read('.github/dependabot.yml'),
  );
  const folders = updates.flatMap(({ directory = '/', directories = [directory] }) => directories);
  expect(folders.filter((folder) => !existsSync(join(ROOT, folder)))).toEqual([]);
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
  expect(used).toEqual([version]);
});
