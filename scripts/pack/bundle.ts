import { writeFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { type OutputChunk, rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';

/** What other programs may import, and where it is in the workspace. */
export const ENTRIES = {
  testing: 'server/src/testing-api/index.ts',
  playwright: 'server/src/testing-api/playwright.ts',
  authenticator: 'shared/src/authenticator/index.ts',
  contract: 'shared/src/index.ts',
} as const;

/**
 * Bundled: the workspace (`#…` is how its areas import each other); packages that we patch, so that users don't need the
 * patches; and zod, without its messages in fifty languages, which every process would load.
 */
const BUILT_IN = /^(?:@orchestrate\/|#|(?:drizzle-orm|zod)(?:\/|$)|\.|\/|[A-Za-z]:\\)/;
/**
 * Built in with all that they import: CommonJS that requires modules, which neither Jest can before Node.js 24.9 nor
 * Vitest in its pools `vmThreads` and `vmForks`.
 */
const REQUIRING_MODULES = ['light-my-request', 'sanitize-html'];
/** Where such an import is: of what else is built in, only drizzle-orm imports others. */
const NEEDED_BY_THEM = /[\\/]node_modules[\\/](?!.*[\\/]drizzle-orm[\\/])/;
/** Built in, but not its types: the contract's schemas are those of everybody's zod. */
const TYPES = 'zod';
/** Loaded by name while the program runs, so that no bundler sees it. */
const BY_NAME = [
  ...['samlify', 'xml-crypto', '@xmldom/xmldom', 'xmllint-wasm', '@authenio/samlify-xmllint-wasm', 'pino-pretty'],
];

/** Builds programs and declarations into a folder; returns the names of the packages that they import. */
export async function bundle(root: string, folder: string): Promise<Set<string>> {
  const external = (id: string, importer = '') =>
    isOfNode(id) || !(BUILT_IN.test(id) || REQUIRING_MODULES.includes(id) || NEEDED_BY_THEM.test(importer));
  const inputs = Object.fromEntries(Object.entries(ENTRIES).map(([name, path]) => [name, join(root, path)]));

  const programs = await rolldown({
    input: { ...inputs, cli: join(root, 'scripts/pack/cli.ts') },
    external,
    platform: 'node',
    transform: {
      target: 'es2023',
      // Not the global one: fake timers of a test runner replace that, and the portal in its process would hang.
      inject: { setImmediate: ['node:timers', 'setImmediate'] },
    },
  });
  const { output } = await programs.write({
    dir: folder,
    format: 'esm',
    entryFileNames: ({ name }) => (name in ENTRIES ? 'entries/[name].js' : '[name].js'),
    chunkFileNames: 'chunks/[name].js',
    // Every process would keep the others in memory.
    comments: { legal: true, annotation: false, jsdoc: false },
  });
  const chunks = output.filter((part): part is OutputChunk => part.type === 'chunk');
  // One character beyond Latin-1 makes V8 keep the whole file with two bytes for each of its characters.
  for (const { fileName, code } of chunks) await writeFile(join(folder, fileName), inAscii(code));
  for (const name of Object.keys(ENTRIES)) {
    // What a module imports runs in the order of its imports: an old Node.js gets its sentence before anything else.
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
 * Node.js gives CommonJS our modules by `require`, and `module: node16` takes that for impossible: it needs
 * declarations that say they are CommonJS, and import none that are not.
 */
const forCommonJS = (declarations: string): string => declarations.replace(/( from "\.[^"]*)\.js"/g, '$1.cjs"');

/**
 * Escapes every character beyond ASCII. They only occur in strings and regular expressions, so the program stays the
 * same.
 */
const inAscii = (code: string): string =>
  code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const isOfNode = (id: string): boolean => id.startsWith('node:') || builtinModules.includes(id);
/** `@noble/curves/nist.js` is of `@noble/curves`. */
const packageOf = (id: string): string => id.split('/', id.startsWith('@') ? 2 : 1).join('/');
