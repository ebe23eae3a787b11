import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Project, ts } from 'ts-morph';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createUserFolder, type UserFolder } from './install-examples.ts';

const NODE_TYPES = join(import.meta.dirname, '../../server/node_modules/@types');

let folder: UserFolder;
beforeAll(async () => {
  folder = await createUserFolder();
  mkdirSync(join(folder.path, 'node_modules'));
  symlinkSync(inject('packageFolder'), join(folder.path, 'node_modules/orchestrate'), 'dir');
  await folder.write('package.json', '{ "name": "user-project", "private": true }');
});
afterAll(() => folder.remove());

/** Opens a source file in a project that uses the package, as an editor does. */
function open(name: string, text: string, options: ts.CompilerOptions) {
  writeFileSync(join(folder.path, name), text);
  const project = new Project({
    compilerOptions: {
      strict: true,
      target: ts.ScriptTarget.ES2024,
      types: ['node'],
      typeRoots: [NODE_TYPES],
      ...options,
    },
  });
  return { project, source: project.addSourceFileAtPath(join(folder.path, name)) };
}

const MODERN = { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext };

/** Returns the fields in an argument of `type`, by path, that an editor can't describe. */
function undescribed(type: ts.Type, path: string, checker: ts.TypeChecker, seen = new Set<ts.Type>()): string[] {
  if (seen.has(type)) return [];
  seen.add(type);
  if (type.isUnionOrIntersection()) return type.types.flatMap((part) => undescribed(part, path, checker, seen));
  const element = checker.isArrayType(type) ? checker.getTypeArguments(type as ts.TypeReference)[0] : undefined;
  if (element) return undescribed(element, path, checker, seen);
  const isValue = !(type.flags & ts.TypeFlags.Object) || type.getCallSignatures().length > 0;
  if (isValue) return [];
  // Skips types from outside the package, such as Node's URL.
  if (type.symbol?.declarations?.some((node) => !node.getSourceFile().fileName.includes('/package/dist/'))) return [];
  return type.getProperties().flatMap((field) => {
    fields += 1;
    const here = `${path}.${field.name}`;
    const isDescribed = field.getDocumentationComment(checker).length > 0;
    const own = checker.getTypeOfSymbol(field);
    return [...(isDescribed ? [] : [here]), ...undescribed(own, here, checker, seen)];
  });
}
let fields = 0;

test('describes every field that a test author can set, in the declarations', () => {
  const { project, source } = open(
    'fields.mts',
    `import type { Browser, LiveClient, Portal } from 'orchestrate/testing';
     import { connectPortal, explainFailures, startPortal } from 'orchestrate/testing';
     import type { World } from 'orchestrate/contract';
     export declare const portal: Portal, browser: Browser, live: LiveClient<never>, world: (world: World) => void;
     export { connectPortal, explainFailures, startPortal };`,
    { ...MODERN, skipLibCheck: true },
  );
  const checker = project.getTypeChecker().compilerObject;
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(source.compilerNode) ?? expect.fail());
  const missing = exported.flatMap((symbol) => {
    const type = checker.getTypeOfSymbol(symbol);
    const methods = type.getCallSignatures().length > 0 ? [symbol] : type.getProperties();
    return methods.flatMap((method) =>
      checker
        .getTypeOfSymbol(method)
        .getCallSignatures()
        .filter(({ typeParameters }) => !typeParameters)
        .flatMap(({ parameters }) => parameters)
        .flatMap((parameter) => undescribed(checker.getTypeOfSymbol(parameter), method.name, checker)),
    );
  });
  expect(missing).toEqual([]);
  expect(fields).toBeGreaterThan(400);
});

/** Returns the fields of a JSON Schema without a description, by path. */
function undescribedIn(schema: unknown, path = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const properties: Record<string, { description?: string }> = Object(schema).properties ?? {};
  const own = Object.entries(properties).filter(([, { description }]) => !description);
  return [
    ...own.map(([name]) => `${path}.${name}`),
    ...Object.entries(schema).flatMap(([name, part]) => undescribedIn(part, `${path}.${name}`)),
  ];
}

test("describes every field of a world in the package's JSON Schema", async () => {
  await folder.write(
    'schema.mjs',
    `import { startPortal } from 'orchestrate/testing';
     const portal = await startPortal({ seed: 'none' });
     console.log(await portal.worldSchema());
     await portal.close();`,
  );
  const { stdout, stderr } = await folder.run('node', ['schema.mjs']);
  expect(stderr).toBe('');
  expect(undescribedIn(JSON.parse(stdout))).toEqual([]);
  expect(stdout).toContain('Lifetime of access tokens, in seconds. Default: ');
});

test('completes `contract.` by area, and marks every older name as deprecated', () => {
  const text = `import { contract } from 'orchestrate/contract';\ncontract.devices.add;\ncontract.addDevice;\n`;
  const { project, source } = open('complete.mts', text, { ...MODERN, skipLibCheck: true });
  const service = project.getLanguageService().compilerObject;
  const completedAfter = (written: string) =>
    service.getCompletionsAtPosition(source.getFilePath(), text.indexOf(written) + written.length, {})?.entries ?? [];
  const isCurrent = ({ kindModifiers = '' }: ts.CompletionEntry) => !kindModifiers.includes('deprecated');
  const offered = completedAfter('\ncontract.');
  expect(offered.filter(isCurrent).map(({ name }) => name)).toEqual([
    'activation',
    'activity',
    'applications',
    'authenticator',
    'devices',
    'faq',
    'lab',
    'people',
    'roles',
    'service',
    'session',
    'settings',
    'webhooks',
  ]);
  expect(offered.length).toBeGreaterThan(400);
  const devices = completedAfter('contract.devices.');
  expect(devices.filter(isCurrent).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['add', 'delete', 'rename']),
  );
  const [suggestion, ...others] = service.getSuggestionDiagnostics(source.getFilePath());
  expect(suggestion?.messageText).toBe("'addDevice' is deprecated.");
  expect(others).toEqual([]);
  const add = service.getQuickInfoAtPosition(source.getFilePath(), text.indexOf('add;'));
  expect(ts.displayPartsToString(add?.documentation)).toBe(
    'Create a code for adding a new device: `POST /api/device/add`.',
  );
});

test('compiles and runs from CommonJS with `moduleResolution: node10`', async () => {
  const { project, source } = open(
    'typed.ts',
    `import { createDeviceKey } from 'orchestrate/authenticator';
     import { contract, type ReplyOf } from 'orchestrate/contract';
     import type { test } from 'orchestrate/playwright';
     import { type Portal, startPortal } from 'orchestrate/testing';
     export type Fixtures = typeof test;
     export const key = createDeviceKey();
     async function use(): Promise<void> {
       const portal: Portal = await startPortal({ seed: 'none' });
       const health: ReplyOf<typeof contract.service.health> = await portal.call(contract.service.health);
       // @ts-expect-error Unknown answer.
       await portal.policy({ match: {}, answer: 'perhaps' }).catch(({ resultName }) => console.log(health.status, resultName));
       await portal.close();
     }
     void use();`,
    {
      module: ts.ModuleKind.CommonJS,
      moduleResolution: ts.ModuleResolutionKind.Node10,
      ignoreDeprecations: '6.0',
      esModuleInterop: true,
      skipLibCheck: true,
    },
  );
  const problems = project
    .getPreEmitDiagnostics()
    .map((problem) => ts.flattenDiagnosticMessageText(problem.compilerObject.messageText, '\n'));
  expect(problems).toEqual([]);
  await source.emit();
  expect(await folder.run('node', ['typed.js'])).toMatchObject({ code: 0, stdout: 'ok INVALID_REQUEST\n' });
});
