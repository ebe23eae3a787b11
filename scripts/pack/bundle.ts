import { rm, writeFile } from 'node:fs/promises';
import { builtinModules, createRequire } from 'node:module';
import { join } from 'node:path';
import { type OutputChunk, type Plugin, rolldown } from 'rolldown';
import { minifySync } from 'rolldown/utils';
import { dts } from 'rolldown-plugin-dts';
import { inAscii } from '../build.ts';
import { deprecateOlderNames, fieldComments } from './field-comments.ts';

/** The package's entry points with their source files. */
export const ENTRIES = {
  testing: 'server/src/testing-api/index.ts',
  playwright: 'server/src/testing-api/playwright.ts',
  authenticator: 'shared/src/authenticator/index.ts',
  contract: 'shared/src/index.ts',
} as const;

/**
 * Packages with binaries or other files that can't be bundled. The npm package contains them unbundled.
 * sharp's WebAssembly build replaces its native builds, which take 20 MB for every platform.
 */
export const PACKAGES = [
  'better-sqlite3',
  '@img/sharp-wasm32',
  '@emnapi/runtime',
  'xmllint-wasm',
  '@authenio/samlify-xmllint-wasm',
] as const;
/** Optional peer dependencies. */
export const OPTIONAL = ['@playwright/test'];
/** CommonJS libraries that the server loads by name on first use. Each becomes a separate program. */
const LOADED_LATER = ['samlify', 'xml-crypto', '@xmldom/xmldom'];

/** Keeps only legal comments. All others would take up memory in every process. */
const WITHOUT_COMMENTS = { comments: { legal: true, annotation: false, jsdoc: false } } as const;

/** Replaces code that only finds files in an installation with packages. */
const packaged: Plugin = {
  name: 'packaged',
  transform: {
    filter: { id: [/[\\/]protocols[\\/]saml[\\/]/, /[\\/]sharp[\\/]dist[\\/]sharp\.mjs$/] },
    handler(code, id) {
      if (id.endsWith('sharp.mjs')) {
        // sharp searches for a native build first, and could find another version's in the user's packages.
        return `import { createRequire } from 'node:module';\nexport default createRequire(import.meta.url)('${PACKAGES[1]}/sharp.node');`;
      }
      return LOADED_LATER.reduce(
        (text, name) => text.replaceAll(`('${name}')`, `('../libraries/${fileOf(name)}')`),
        code,
      );
    },
  },
};
/** zod's default declarations are for CommonJS, which can't be bundled. */
const zodTypes: Plugin = {
  name: 'zod-types',
  resolveId: {
    order: 'pre',
    filter: { id: /^zod$/ },
    handler: () =>
      createRequire(import.meta.url)
        .resolve('zod')
        .replace(/\.cjs$/, '.d.ts'),
  },
};
const fileOf = (library: string): string => `${library.replace(/^.*\//, '')}.cjs`;

/**
 * Builds programs and type declarations into a folder.
 * @returns paths of the bundled modules
 */
export async function bundle(root: string, folder: string): Promise<string[]> {
  const inputs = Object.fromEntries(Object.entries(ENTRIES).map(([name, path]) => [name, join(root, path)]));

  const programs = await rolldown({
    input: { ...inputs, cli: join(root, 'scripts/pack/cli.ts') },
    external: isExternal,
    platform: 'node',
    plugins: [packaged],
    // depd, which oidc-provider's Koa uses, evaluates code to name functions.
    checks: { eval: false },
    transform: {
      target: 'es2023',
      // An in-process portal would hang if a test runner's fake timers replaced the global setImmediate.
      inject: { setImmediate: ['node:timers', 'setImmediate'] },
    },
  });
  const { output } = await programs.write({
    dir: folder,
    format: 'esm',
    entryFileNames: ({ name }) => (name in ENTRIES ? 'entries/[name].js' : '[name].js'),
    chunkFileNames: 'chunks/[name].js',
    ...WITHOUT_COMMENTS,
  });
  const { resolve } = createRequire(join(root, 'server/package.json'));
  const libraries = await rolldown({
    input: Object.fromEntries(LOADED_LATER.map((name) => [fileOf(name), resolve(name)])),
    external: isExternal,
    platform: 'node',
  });
  const later = await libraries.write({
    dir: join(folder, 'libraries'),
    format: 'cjs',
    entryFileNames: '[name]',
    chunkFileNames: '[name].cjs',
    ...WITHOUT_COMMENTS,
  });
  const chunks: OutputChunk[] = [];
  for (const [path, parts] of [[folder, output] as const, [join(folder, 'libraries'), later.output] as const]) {
    for (const part of parts) {
      if (part.type !== 'chunk') continue;
      chunks.push(part);
      await writeFile(join(path, part.fileName), inAscii(withoutSpace(part)));
    }
  }
  for (const name of Object.keys(ENTRIES)) {
    // Imports run in order. The version check therefore runs before any code that an old Node.js can't parse.
    const guarded = `import '../bin/require-node.js';\nexport * from './entries/${name}.js';\n`;
    await writeFile(join(folder, `${name}.js`), guarded);
    const required = `require('../bin/load-module.cjs')('orchestrate/${name}', () => require('./${name}.js'))`;
    await writeFile(join(folder, `${name}.cjs`), `module.exports = ${required};\n`);
  }

  const declarations = await rolldown({
    input: inputs,
    external: isExternal,
    platform: 'node',
    plugins: [zodTypes, fieldComments(root), dts({ emitDtsOnly: true, tsconfig: join(root, 'tsconfig.package.json') })],
  });
  const declared = await declarations.write({ dir: folder, format: 'esm', chunkFileNames: 'chunks/[name].ts' });
  for (const part of declared.output) {
    if (part.type !== 'chunk') continue;
    const [path, code] = [join(folder, part.fileName), forCommonJS(indentedByTabs(deprecateOlderNames(part.code)))];
    await writeFile(path.replace(/ts$/, 'cts'), code);
    // Only entries are also written for ES modules: their chunks are the `.cts` files.
    if (part.isEntry) await writeFile(path, code);
    else await rm(path);
  }
  return chunks.flatMap(({ moduleIds }) => moduleIds);
}

/**
 * Rewrites declarations for CommonJS. Node.js can `require` our ES modules, but TypeScript's `module: node16` needs
 * `.cts` declarations that only import other `.cts` declarations. Declarations of ES modules can import both.
 */
const forCommonJS = (declarations: string): string => declarations.replace(/( from "\.[^"]*)\.js"/g, '$1.cjs"');

/** Halves the indentation, which takes up a seventh of the declarations. */
const indentedByTabs = (declarations: string): string =>
  declarations.replace(/^(?: {2})+/gm, (spaces) => '\t'.repeat(spaces.length / 2));

/** Removes white space from chunks with third-party code only, which no one reads. Names stay, as errors show them. */
function withoutSpace({ fileName, code, moduleIds }: OutputChunk): string {
  if (!moduleIds.every((id) => THIRD_PARTY.test(id))) return code;
  return minifySync(fileName, code, { compress: false, mangle: false }).code;
}
const THIRD_PARTY = /[\\/]node_modules[\\/]|^\0/;

const isExternal = (id: string): boolean =>
  id.startsWith('node:') || builtinModules.includes(id) || [...PACKAGES, ...OPTIONAL].includes(packageOf(id));
/** Returns the package a module is in, e.g. `@noble/curves` for `@noble/curves/nist.js`. */
const packageOf = (id: string): string => id.split('/', id.startsWith('@') ? 2 : 1).join('/');
