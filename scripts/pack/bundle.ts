import { writeFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { type OutputChunk, rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';

/** The package's entry points with their source files. */
export const ENTRIES = {
  testing: 'server/src/testing-api/index.ts',
  playwright: 'server/src/testing-api/playwright.ts',
  authenticator: 'shared/src/authenticator/index.ts',
  contract: 'shared/src/index.ts',
} as const;

/**
 * Modules to bundle: the workspace, whose folders import each other through `#` aliases; patched dependencies, which
 * saves users from applying patches; and zod, without the translations into fifty languages that every process would
 * load.
 */
const BUILT_IN = /^(?:@orchestrate\/|#|(?:drizzle-orm|zod)(?:\/|$)|\.|\/|[A-Za-z]:\\)/;
/**
 * Packages bundled with all their imports. They are CommonJS packages that require ES modules, which fails in Jest
 * before Node.js 24.9 and in Vitest's `vmThreads` and `vmForks` pools.
 */
const REQUIRING_MODULES = ['light-my-request', 'sanitize-html'];
/** Matches importing files in `REQUIRING_MODULES`. Among the other bundled packages, only drizzle-orm has imports. */
const BUNDLED_IMPORTER = /[\\/]node_modules[\\/](?!.*[\\/]drizzle-orm[\\/])/;
/** Bundled without type declarations. The contract's schemas then use the types of the user's own zod. */
const TYPES = 'zod';
/** Packages loaded by name at run time, which the bundler can't detect. */
const BY_NAME = [
  'samlify',
  'xml-crypto',
  '@xmldom/xmldom',
  'xmllint-wasm',
  '@authenio/samlify-xmllint-wasm',
  'pino-pretty',
];

/** Builds programs and type declarations into a folder. Returns the names of the packages they import. */
export async function bundle(root: string, folder: string): Promise<Set<string>> {
  const external = (id: string, importer = '') =>
    isOfNode(id) || !(BUILT_IN.test(id) || REQUIRING_MODULES.includes(id) || BUNDLED_IMPORTER.test(importer));
  const inputs = Object.fromEntries(Object.entries(ENTRIES).map(([name, path]) => [name, join(root, path)]));

  const programs = await rolldown({
    input: { ...inputs, cli: join(root, 'scripts/pack/cli.ts') },
    external,
    platform: 'node',
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
    // Strips all other comments because they only take up memory in every process.
    comments: { legal: true, annotation: false, jsdoc: false },
  });
  const chunks = output.filter((part): part is OutputChunk => part.type === 'chunk');
  // A single non-Latin-1 character makes V8 use two bytes per character for the whole file.
  for (const { fileName, code } of chunks) await writeFile(join(folder, fileName), inAscii(code));
  for (const name of Object.keys(ENTRIES)) {
    // Imports run in order. The version check therefore runs before any code that an old Node.js can't parse.
    const guarded = `import '../bin/require-node.js';\nexport * from './entries/${name}.js';\n`;
    await writeFile(join(folder, `${name}.js`), guarded);
    const required = `require('../bin/load-module.cjs')('orchestrate/${name}', () => require('./${name}.js'))`;
    await writeFile(join(folder, `${name}.cjs`), `module.exports = ${required};\n`);
  }

  const declarations = await rolldown({
    input: inputs,
    external: (id) => external(id) || id === TYPES,
    platform: 'node',
    plugins: [dts({ emitDtsOnly: true, tsconfig: join(root, 'tsconfig.package.json') })],
  });
  const declared = await declarations.write({ dir: folder, format: 'esm', chunkFileNames: 'chunks/[name].ts' });
  for (const part of declared.output) {
    if (part.type === 'chunk')
      await writeFile(join(folder, part.fileName.replace(/ts$/, 'cts')), forCommonJS(part.code));
  }

  const own = new Set(chunks.map(({ fileName }) => fileName));
  const imported = chunks
    .flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
    .filter((id) => !own.has(id) && !isOfNode(id));
  return new Set([...imported.map(packageOf), ...BY_NAME, TYPES]);
}

/**
 * Rewrites declarations for CommonJS. Node.js can `require` our ES modules, but TypeScript's `module: node16` needs
 * `.cts` declarations that only import other `.cts` declarations.
 */
const forCommonJS = (declarations: string): string => declarations.replace(/( from "\.[^"]*)\.js"/g, '$1.cjs"');

/**
 * Escapes every non-ASCII character. They occur only in strings and regular expressions, where escaping doesn't
 * change the meaning.
 */
const inAscii = (code: string): string =>
  code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const isOfNode = (id: string): boolean => id.startsWith('node:') || builtinModules.includes(id);
/** Returns the package a module is in, e.g. `@noble/curves` for `@noble/curves/nist.js`. */
const packageOf = (id: string): string => id.split('/', id.startsWith('@') ? 2 : 1).join('/');
