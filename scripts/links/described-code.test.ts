import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const architecture = read('docs/architecture.md');
const blocksOf = (document: string) =>
  [...document.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({ language, code }));

/** Returns the lines of the file tree, grouped by package, e.g. `db`. */
function treeOf(block: string): ReadonlyMap<string, string> {
  const parts = block.split(/^(\w+)\/ /m).slice(1);
  return new Map(parts.flatMap((name, index) => (index % 2 === 0 ? [[name, parts[index + 1] ?? '']] : [])));
}

test('matches the tree in the architecture page to the folders', () => {
  const block = blocksOf(architecture).find(({ code }) => code.startsWith('shared/ '))?.code ?? '';
  const tree = treeOf(block);
  const foldersOf = (path: string) =>
    readdirSync(join(ROOT, path), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !/^(?:node_modules|dist|coverage)$/.test(entry.name))
      .map(({ name }) => name);
  const inside = [
    'shared/src',
    'db/src',
    'server/src',
    'server/src/platform',
    'server/src/core',
    'server/src/protocols',
    'web/src',
    'web/src/lib',
  ];
  expect([...tree.keys()].sort()).toEqual(
    expect.arrayContaining(['db', 'docs', 'examples', 'scripts', 'server', 'shared', 'web']),
  );
  const missing = inside.flatMap((path) => {
    const lines = tree.get(path.split('/')[0] ?? '') ?? '';
    return foldersOf(path)
      .filter((name) => !new RegExp(`(?:^|[ /])${name}(?:/|[ ,.]|$)`, 'm').test(lines))
      .map((name) => `${path}/${name}`);
  });
  expect(missing).toEqual([]);

  const gone = [...tree].flatMap(([top, lines]) =>
    [...lines.matchAll(/(?:^|\s)((?:src|migrations|e2e)\/[\w/.-]*)/gm)]
      .map(([, path = '']) => `${top}/${path}`)
      .filter((path) => !existsSync(join(ROOT, path))),
  );
  expect(gone).toEqual([]);
});

test('finds every path in the architecture diagrams', () => {
  const [entry, life, portals] = blocksOf(architecture).filter(({ language }) => language === 'mermaid');
  const labels = [...`${entry?.code}${portals?.code}`.matchAll(/<br\/>([^"]+)"/g)].map(([, path = '']) => path);
  expect(labels).toContain('shared/src/contract');
  expect(labels.filter((label) => label.includes('/') && !existsSync(join(ROOT, label.split(',')[0] ?? '')))).toEqual(
    [],
  );
  const schema = read('db/src/schema/challenges.ts');
  const states = [...new Set((life?.code ?? '').match(/\b(?!resolve|settle)[a-z]+(?= -->|: )/g))];
  expect(states).toEqual(expect.arrayContaining(['pending', 'approved', 'exchanged']));
  expect(states.filter((state) => !schema.includes(`'${state}'`) && !schema.includes(`${state}At`))).toEqual([
    'expired',
  ]);
  const steps = [...architecture.matchAll(/│ (\w+\.ts) /g)].map(([, file = '']) => file);
  expect(steps).toEqual(['begin.ts', 'judge.ts', 'settle.ts', 'exchange.ts']);
  const folder = join(ROOT, 'server/src/core/sign-in/challenges');
  expect(steps.filter((file) => !existsSync(join(folder, file)))).toEqual([]);
});

test.each(['docs/architecture.md', 'CONTRIBUTING.md', 'README.md'])('finds every source file named in %s', (page) => {
  const named = [...read(page).matchAll(/`([\w./-]+\.(?:tsx?|grit))`/g)].map(([, path = '']) => path);
  const sources = globSync('{shared,db,server,web,scripts}/**/*.{ts,tsx,grit}', {
    cwd: ROOT,
    exclude: ['**/node_modules'],
  });
  const missing = named.filter((path) => !sources.some((source) => `/${source}`.endsWith(`/${path}`)));
  expect(missing).toEqual([]);
});

test('finds every command in CONTRIBUTING', () => {
  const { scripts } = JSON.parse(read('package.json'));
  const page = read('CONTRIBUTING.md');
  const several = /^\| `pnpm (\w+)`((?:, `\w+`)+) \|/m.exec(page);
  const listed = [several?.[1] ?? '', ...[...(several?.[2] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name)];
  const alone = [...page.matchAll(/`pnpm (?!exec|--)([\w:]+)/g)].map(([, name = '']) => name);
  expect(listed.length).toBeGreaterThan(4);
  expect(alone.length).toBeGreaterThan(10);
  expect([...listed, ...alone].filter((name) => !(name in scripts))).toEqual([]);
});

test('finds a test for each single-test command in CONTRIBUTING', () => {
  const [block] = blocksOf(read('CONTRIBUTING.md')).filter(({ language }) => language === 'sh');
  const lines = (block?.code ?? '').trim().split('\n');
  expect(lines.length).toBe(3);
  const projects = read('vitest.config.ts');
  for (const line of lines) {
    const project = /--project (\S+)/.exec(line)?.[1];
    const [, part] = /--project \S+ (\S+)/.exec(line) ?? [];
    const title = / -[tg] '([^']+)'/.exec(line)?.[1];
    const pattern = project === undefined ? 'web/e2e/*.journey.ts' : `${project}/src/**/*${part}*`;
    const files = globSync([pattern, `${pattern}/**/*.test.ts`], { cwd: ROOT }).filter((file) => file.endsWith('.ts'));
    expect(files.length, line).toBeGreaterThan(0);
    if (project) expect(projects, line).toContain(project);
    if (title) expect(files.filter((file) => read(file).includes(title)).length, line).toBe(1);
  }
});
