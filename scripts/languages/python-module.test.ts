import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { connectPortal, type Portal, startPortal } from '@orchestrate/server/testing-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PYTHON_METHODS, PYTHON_MODULE, withGeneratedPart } from './python-module.ts';

const ROOT = join(import.meta.dirname, '../..');
const FILE = join(ROOT, PYTHON_MODULE);
const module = readFileSync(FILE, 'utf8');

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal();
});
afterAll(() => portal.close());

/** Runs a program that has imported the module, without other packages (`-S`). Returns the JSON that it prints. */
async function python(program: string) {
  const env = { ...process.env, PYTHONPATH: dirname(FILE), ORCHESTRATE_URL: portal.url };
  const text = `import json, orchestrate\n${program}`;
  return JSON.parse((await promisify(execFile)('python3', ['-B', '-S', '-c', text], { env })).stdout);
}
/** Returns the type and message of the error that a line raises. */
const errorOf = (line: string) =>
  python(`
portal = orchestrate.connect()
try:
    ${line}
except Exception as error:
    print(json.dumps([type(error).__name__, str(error)]))`);

test('orchestrate.py is up to date (run pnpm generate)', () => {
  expect(module).toBe(withGeneratedPart(module));
});

test('orchestrate.py has the methods of orchestrate/testing, except channels and browsers', async () => {
  const own = Object.keys(connectPortal({ url: portal.url })).filter((name) => !['url', 'ca'].includes(name));
  const generated = PYTHON_METHODS.map(([name]) => name);
  expect([...generated, 'call', 'close', 'open', 'browser'].toSorted()).toEqual(own.toSorted());
  const names = [...PYTHON_METHODS.map(([, name]) => name), 'call', 'close'];
  const missing = await python(
    `print(json.dumps([n for n in ${JSON.stringify(names)} if not hasattr(orchestrate.Portal, n)]))`,
  );
  expect(missing).toEqual([]);
});

test('orchestrate.py has the syntax of Python 3.9', async () => {
  const source = 'open(orchestrate.__file__, encoding="utf-8").read()';
  expect(await python(`import ast; ast.parse(${source}, feature_version=(3, 9)); print("true")`)).toBe(true);
});

test('words a refusal as in TypeScript, with the call, the result and the fields', async () => {
  const misspelt = { match: { path: '/api/profil' }, answer: { status: 500 } };
  const refused = await portal.fault(misspelt).catch((reason: Error) => reason.message);
  expect(await errorOf(`portal.fault(match={"path": "/api/profil"}, answer={"status": 500})`)).toEqual([
    'PortalRefusal',
    refused,
  ]);
  expect(refused).toContain('POST /api/lab/faults → 400 INVALID_REQUEST');
  expect(await errorOf('portal.call("GET", "/api/profile")')).toEqual([
    'PortalRefusal',
    'GET /api/profile → 401 UNAUTHORIZED (28): Please sign in.',
  ]);
});

test.each([
  ['an unknown argument', 'portal.person(org="acme", emial="x")', 'TypeError', "unexpected keyword argument 'emial'"],
  ['a positional argument', 'portal.person("acme")', 'TypeError', 'positional argument'],
  [
    'a misspelt nested field',
    'portal.fault(match={"path": "/api/profile"}, answer={"result_nam": "EXPIRED"})',
    'PortalRefusal',
    'Did you mean resultName?',
  ],
  ['a failed check', 'portal.verify(path="/api/refresh", count=1)', 'NotVerified', '/api/refresh'],
  ['an unknown reply field', 'portal.clock().nwo', 'AttributeError', 'Did you mean now?'],
  [
    'an unreachable portal',
    'orchestrate.connect("http://localhost:1").clock()',
    'PortalUnreachable',
    "Couldn't reach the portal at http://localhost:1",
  ],
  [
    'a URL with a path',
    'orchestrate.connect("http://localhost:1/lab")',
    'ValueError',
    'must be the origin of a portal',
  ],
  [
    'options without effect',
    'orchestrate.start(seed="none")',
    'ValueError',
    'no effect on the portal at ORCHESTRATE_URL',
  ],
])('reports %s', async (_, line, type, text) => {
  expect(await errorOf(line)).toEqual([type, expect.stringContaining(text)]);
});

test('converts names to those of the HTTP API, except within documents', async () => {
  await python(`
portal = orchestrate.connect()
portal.fault(match={"path": "/oidc/acme/token"}, answer={"fields": {"tenant_id": {"is_new": True}}, "delay_ms": 5})
print("null")`);
  expect((await portal.faults()).faults).toMatchObject([
    { answer: { fields: { tenant_id: { is_new: true } }, delayMs: 5 } },
  ]);
});

test('keeps a portal’s lab token in its spaces', async () => {
  await using guarded = await startPortal({ env: { LAB_TOKEN: 'only-for-this-test' } });
  const reply = await python(`
with orchestrate.connect("${guarded.url}", lab_token="only-for-this-test") as portal, portal.space() as space:
    print(json.dumps([space.url != portal.url, space.clock()["mode"]]))`);
  expect(reply).toEqual([true, 'real']);
  expect(await guarded.spaces()).toEqual([]);
});
