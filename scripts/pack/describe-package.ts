import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { SQLITE } from './bring-sqlite.ts';
import { ENTRIES } from './bundle.ts';

/** What people bring along where they want it. */
const OPTIONAL = ['@playwright/test'];

/** The `package.json` of the package. @param imported names of the packages that its programs import */
export function describePackage(root: string, imported: ReadonlySet<string>) {
  const own: { name: string; version: string; description: string } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  const { catalog }: { catalog: Record<string, string> } = parse(
    readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8'),
  );
  const versionOf = (name: string) => {
    const version = catalog[name];
    if (!version)
      throw new Error(`The package imports ${name}, which the catalog in pnpm-workspace.yaml does not name.`);
    return version;
  };
  const needed = [...imported].filter((name) => !OPTIONAL.includes(name)).sort();
  const exported = Object.keys(ENTRIES).map((name) => {
    const program = `./dist/${name}.js`;
    const required = { types: `./dist/${name}.d.cts`, default: `./dist/${name}.cjs` };
    return [`./${name}`, { require: required, types: `./dist/${name}.d.ts`, default: program }];
  });
  return {
    name: own.name,
    version: own.version,
    description: own.description,
    // Not for distribution, as the OpenAPI document says too.
    license: 'UNLICENSED',
    type: 'module',
    engines: { node: '^22.14 || >=23.6' },
    bin: { orchestrate: 'bin/orchestrate.js' },
    // For compilers that read no `exports`: `moduleResolution: node10`, which Jest with ts-jest often has.
    typesVersions: { '*': Object.fromEntries(Object.keys(ENTRIES).map((name) => [name, [`./dist/${name}.d.ts`]])) },
    exports: { ...Object.fromEntries(exported), './package.json': './package.json' },
    dependencies: Object.fromEntries(needed.map((name) => [name, versionOf(name)])),
    bundleDependencies: [SQLITE],
    peerDependencies: Object.fromEntries(OPTIONAL.map((name) => [name, `>=${versionOf(name).split('.')[0]}`])),
    peerDependenciesMeta: Object.fromEntries(OPTIONAL.map((name) => [name, { optional: true }])),
  };
}
