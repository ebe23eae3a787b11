import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';

const SERVER = join(import.meta.dirname, '../../..');
const TSC = join(SERVER, '../node_modules/typescript/bin/tsc');
/** Temporary directory inside `node_modules`, where the generated client can resolve `openapi-fetch`. */
const CACHE = join(SERVER, 'node_modules/.cache');

/** A client program that relies only on types generated from the served document. */
const PROGRAM = `
import createClient from 'openapi-fetch';
import type { paths } from './portal.ts';

const [, , portal = ''] = process.argv;
const client = createClient<paths>({ baseUrl: portal + '/api' });
const had = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('It was refused.');
  return value;
};

const person = had((await client.POST('/lab/people', { body: { org: 'acme' } })).data);
const policies = had(
  (await client.PUT('/lab/policies', { body: { match: { email: person.email }, answer: 'approve', opens: true } })).data,
);
if (policies.policies.length !== 1) throw new Error('The phone does not know what to do.');

const begun = had((await client.POST('/user/login', { body: { orgCode: 'acme', mode: 'PUSH', primaryAttr: person.primaryAttr } })).data);
if (begun.resultCode === 0) throw new Error('Nobody has approved it yet: ' + begun.token);
const loginId: string = begun.loginId;
let exchangeToken: string | undefined;
for (let tries = 0; tries < 500 && exchangeToken === undefined; tries += 1) {
  const { data } = await client.GET('/user/login/{loginId}', { params: { path: { loginId } } });
  const code: 0 | 10 | 77 | 78 | 79 | 80 | 84 | 85 = had(data).resultCode;
  if (code === 80) exchangeToken = had(data).exchangeToken;
}
const signedIn = had((await client.POST('/user/login', { body: { loginId, exchangeToken: had(exchangeToken) } })).data);
if (signedIn.resultCode !== 0) throw new Error('It has begun once more: ' + signedIn.loginId);
const token: string = signedIn.token;
client.use({
  onRequest({ request }) {
    request.headers.set('authorization', 'Bearer ' + token);
  },
});

const { profile } = had((await client.GET('/profile')).data);
const permissions: ('SEARCH_USER' | string)[] = profile.permissions;
if (profile.email !== person.email || permissions.length === 0) throw new Error('Somebody else was signed in.');

// The type distinguishes a refusal with HTTP 200 from the success and from other refusals.
const deleted = had((await client.POST('/device/delete', { body: { zid: profile.zid, suid: profile.suid } })).data);
if (deleted.resultCode === 0) {
  // @ts-expect-error A success has no message.
  throw new Error(deleted.message);
}
const name: 'AT_LEAST_ONE_DEVICE_MUST_EXIST' | 'FORBIDDEN' | 'AUTHENTICATION_INCOMPLETE' = deleted.resultName;
if (deleted.resultCode === 51) {
  const only: 'FORBIDDEN' = deleted.resultName;
  console.log(only, deleted.message);
} else console.log('not expected:', name);

// A refusal with its own status has the types of that status.
const { error } = await client.POST('/user/login', { body: { orgCode: 'nowhere', mode: 'QID' } });
if (error?.resultName === 'ORG_CODE_NOT_FOUND') {
  const code: 18 = error.resultCode;
  console.log(code, error.requestId.length > 0);
}
// @ts-expect-error There is no such sign-in method.
await client.POST('/user/login', { body: { orgCode: 'acme', mode: 'GUESS' } });
// @ts-expect-error There is no such operation.
await client.GET('/profiles');
`;

const STRICT = {
  strict: true,
  noUncheckedIndexedAccess: true,
  module: 'nodenext',
  target: 'es2024',
  lib: ['es2024', 'dom'],
  types: ['node'],
  rewriteRelativeImportExtensions: true,
};

let portal: TestPortal;
let folder: string;
beforeAll(async () => {
  portal = await testPortal();
  mkdirSync(CACHE, { recursive: true });
  folder = mkdtempSync(join(CACHE, 'generated-client-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await portal.close();
});

test('an openapi-typescript client compiles in strict mode, signs in and has typed refusals', {
  tags: 'whole',
}, async () => {
  const { text } = await portal.http.get('/openapi.json').expect(200);
  writeFileSync(join(folder, 'portal.ts'), astToString(await openapiTypescript(text)));
  writeFileSync(join(folder, 'program.ts'), PROGRAM);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: STRICT }));
  const compiled = await run(TSC, '-p', '.');
  expect(compiled).toBe('');
  expect(await run('program.js', portal.url)).toBe('FORBIDDEN Cannot delete device used for this login\n18 true\n');
});

/** Returns a program's output, even if the program fails. */
async function run(...program: string[]): Promise<string> {
  try {
    return (await promisify(execFile)(process.execPath, program, { cwd: folder })).stdout;
  } catch (reason) {
    if (reason instanceof Error && 'stdout' in reason)
      return `${reason.stdout}${'stderr' in reason ? reason.stderr : ''}`;
    throw reason;
  }
}
