import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { promisify } from 'node:util';
import { connectPortal, type Portal, startPortal } from '@orchestrate/server/testing-api';
import { contract, defineWorld } from '@orchestrate/shared';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

/**
 * Runs every line of the guide in TypeScript, Python and curl against a portal behind a proxy that records requests:
 * the three lines of a situation must send the same requests.
 */
const guide = readFileSync(join(import.meta.dirname, '../../docs/testing-a-client.md'), 'utf8');
const RUNNABLE = /^(?:await |const |portal\.|expect\(|connectPortal\()/;

/** Situations with only a TypeScript line, which uses `portal.browser` or a magic address. */
const ONLY_TYPESCRIPT = ['a device before and after its user has signed in', 'errors in a manual test'];

/** TypeScript lines by situation, from the tables. */
const typescript = new Map(
  [...guide.matchAll(/^\| ([^|]+) \| (.*`.*) \|$/gm)].map(([, situation = '', cell = '']) => {
    const code = [...cell.matchAll(/`([^`]+)`/g)].map(([, one = '']) => one).filter((one) => RUNNABLE.test(one));
    return [situation, code.toSorted((a, b) => Number(b.startsWith('const env')) - Number(a.startsWith('const env')))];
  }),
);
/** Lines in another language by situation, from the sections below the tables. */
const linesIn = (summary: string): Map<string, string> =>
  new Map(
    [...guide.matchAll(/^<details><summary>(\w+)<\/summary>\n\n```\w+\n(.*?)^```$/gms)]
      .filter(([, language]) => language === summary)
      .flatMap(([, , block = '']) => block.split(/^# /m).slice(1))
      .map((entry) => {
        const [situation = '', ...lines] = entry.trimEnd().split('\n');
        return [situation, lines.join('\n')];
      }),
  );
const python = linesIn('Python');
const curl = linesIn('curl');
/** The definitions that the lines for curl use. */
const [, CURL_SETUP = ''] = /```sh\n(API=.*?)```/s.exec(guide) ?? [];

interface SentRequest {
  method: string | undefined;
  path: string;
  body: unknown;
}
interface Run {
  requests: SentRequest[];
  /** Type of the error that the lines threw. */
  error?: string | undefined;
}

const RESOURCE = 'https://orders.acme.test';
/** A world with an API, because the demo has none. */
const WITH_API = defineWorld({
  organisations: [
    {
      code: 'acme',
      people: [{ email: 'user@acme.test' }, { email: 'super.admin@acme.test', role: 'SUPER_ADMIN' }],
      apiResources: [{ identifier: RESOURCE, name: 'Orders', scopes: ['orders:read'] }],
      applications: [
        { id: 'team-wiki', type: 'oidc', oidc: { redirectUris: ['http://localhost:8080/back'] } },
        { id: 'nightly-export', type: 'oidc', oidc: { kind: 'machine' } },
      ],
    },
  ],
});
const REDIRECT_URIS = ['http://localhost:8080/back'];
const CLAIMS = [{ name: 'plan', value: 'pro' }];
let portal: Portal;
let requests: SentRequest[] = [];
/** IDs that differ in every run. */
let ids: Record<string, string> = {};
const proxy = createServer((request, response) => void forward(request, response));
const receiver = createServer((request, response) => {
  request.resume();
  response.writeHead(204).end();
});
const originOf = (server: typeof proxy) => `http://localhost:${(server.address() as AddressInfo).port}`;
let interpreter: ChildProcess;
let answers: Interface;

beforeAll(async () => {
  portal = await startPortal();
  for (const server of [proxy, receiver]) await once(server.listen(0, 'localhost'), 'listening');
  const env = { ...process.env, PYTHONPATH: join(inject('packageFolder'), 'python') };
  interpreter = spawn('python3', ['-B', '-S', '-c', INTERPRETER], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  if (!interpreter.stdout) throw new Error('Python has no output.');
  answers = createInterface({ input: interpreter.stdout });
});
afterAll(async () => {
  interpreter?.stdin?.end();
  for (const server of [proxy, receiver]) server.close().closeAllConnections();
  await portal?.close();
});

/** A Python program that runs the lines of each situation with new variables, and prints the type of their error. */
const INTERPRETER = `
import json, os, sys
import orchestrate
for line in sys.stdin:
    task = json.loads(line)
    portal = orchestrate.connect(task["url"])
    names = {**task["names"], "os": os, "orchestrate": orchestrate, "portal": portal}
    names["before"] = orchestrate.Snapshot(portal, names["snapshot"])
    error = None
    try:
        exec(task["code"], names)
    except Exception as reason:
        error = type(reason).__name__
        if error != "NotVerified": print(task["code"], repr(reason), file=sys.stderr)
    print(json.dumps(error), flush=True)
`;

/** Replaces the IDs of this run with their names. */
const named = (text: string): string =>
  Object.entries(ids)
    .reduce((rest, [name, id]) => (name === 'seq' ? rest : rest.replaceAll(id, `<${name}>`)), text)
    .replace(new RegExp(`"after": ?${ids.seq}(?=[,}])`), '"after":"<seq>"');

/** Passes a request on to the portal and records it. */
async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const { pathname, searchParams } = new URL(request.url ?? '', portal.url);
  searchParams.sort();
  const path = named(pathname).replace(/(?<=\/(?:spaces|snapshots)\/)[^/<]+/, '<new>');
  const body: unknown = text === '' ? undefined : JSON.parse(named(text));
  requests.push({ method: request.method, path: searchParams.size > 0 ? `${path}?${searchParams}` : path, body });
  const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
  const answer = await fetch(portal.url + request.url, {
    method: request.method ?? 'GET',
    headers: headers as Record<string, string>,
    ...(text && { body: text }),
  });
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
  response.end(await answer.text());
}

/** Resets the portal and creates what the lines of a situation use. */
async function prepare(lines: string): Promise<void> {
  const uses = (pattern: RegExp) => pattern.test(lines);
  await portal.reset(uses(/resource/) ? { seed: WITH_API } : { seed: 'demo' });
  const email = 'user@acme.test';
  const { token } = await portal.session({ email: 'super.admin@acme.test' });
  const { people } = await portal.people({ email });
  const suid = people[0]?.suid ?? '';
  ids = { token, suid };
  if (uses(/login/i)) {
    ids.login = (await portal.call(contract.login, { body: { orgCode: 'acme', mode: 'QID' } })).loginId;
  }
  if (uses(/snapshot/)) ids.snapshot = (await portal.snapshot()).snapshotId;
  if (uses(/ada@|\bto\b/)) {
    const body = { orgCode: 'acme', firstName: 'Ada', lastName: 'L', email: 'ada@acme.test' };
    await portal.call(contract.signup, { body });
  }
  if (uses(/webhook/i)) {
    const body = { url: `${originOf(receiver)}/events`, events: ['member.paused' as const] };
    ids.webhook = (await portal.call(contract.createWebhook, { body }, { token })).webhook.id;
    await portal.call(contract.manageUser, { body: { suid, action: 'pause' } }, { token });
    await portal.settled();
  }
  ids.seq = String((await portal.journal({ limit: 1 }))[0]?.seq ?? 0);
  requests = [];
}

async function runTypeScript(code: string[]): Promise<Run> {
  const names = {
    portal: connectPortal({ url: originOf(proxy) }),
    ...{ connectPortal, contract, defineWorld, expect, startPortal, process },
    ...{
      email: 'user@acme.test',
      manager: 'super.admin@acme.test',
      loginId: ids.login,
      lie: 'replay',
      resultName: 'FORBIDDEN',
      resource: RESOURCE,
    },
    ...{ token: ids.token, suid: ids.suid, before: { snapshotId: ids.snapshot }, webhookId: ids.webhook },
    ...{
      signature: 'wrong-secret',
      to: 'ada@acme.test',
      seq: Number(ids.seq),
      secret: 'a-secret',
      redirectUris: REDIRECT_URIS,
      claims: CLAIMS,
    },
  };
  const body = code.map((line) => (/^(?:portal|connectPortal)/.test(line) ? `await ${line}` : line)).join(';\n');
  const run = new Function(...Object.keys(names), `return (async () => { ${body} })()`);
  const error = await run(...Object.values(names)).then(
    () => undefined,
    (reason: Error) => (reason.name === 'NotVerified' ? reason.name : String(reason)),
  );
  return { requests, error };
}

async function runPython(lines: string): Promise<Run> {
  const names = {
    ...ids,
    email: 'user@acme.test',
    resource: RESOURCE,
    secret: 'a-secret',
    redirect_uris: REDIRECT_URIS,
    claims: CLAIMS,
  };
  const task = {
    url: originOf(proxy),
    code: lines.replace('http://localhost:3000', originOf(proxy)),
    names: { snapshot: '', ...names, seq: Number(ids.seq) },
  };
  const answer = once(answers, 'line');
  interpreter.stdin?.write(`${JSON.stringify(task)}\n`);
  const [line] = await answer;
  return { requests, error: JSON.parse(String(line)) ?? undefined };
}

async function runCurl(lines: string): Promise<Run> {
  const setup = CURL_SETUP.replace('http://localhost:3000', originOf(proxy)).replace('-sS', '-sS --fail-with-body');
  const env = { ...process.env, ...ids, secret: 'a-secret', LAB_TOKEN: 'only-for-this-test', LOG_LEVEL: 'error' };
  const options = { env, cwd: inject('packageFolder') };
  if (!lines.endsWith('&')) {
    await promisify(execFile)('sh', ['-euc', `${setup}\n${lines}`], options);
    return { requests };
  }
  // The command starts a portal in the background: wait until it is ready, then stop it.
  const program = spawn('sh', ['-c', lines.replace(/&$/, '')], { ...options, detached: true });
  const ended = once(program, 'exit');
  const [line] = await Promise.race([once(createInterface({ input: program.stdout }), 'line'), ended]);
  expect(JSON.parse(String(line))).toHaveProperty('url');
  process.kill(-(program.pid ?? 0));
  await ended;
  return { requests };
}

test('has a line in TypeScript, Python and curl for every situation', () => {
  const situations = [...typescript.keys()].filter((one) => !ONLY_TYPESCRIPT.includes(one));
  expect(situations.length).toBeGreaterThan(80);
  expect([...python.keys()]).toEqual(situations);
  expect([...curl.keys()]).toEqual(situations);
});

async function compareLanguages(situation: string): Promise<void> {
  const code = typescript.get(situation) ?? [];
  const lines = { python: python.get(situation) ?? '', curl: curl.get(situation) ?? '' };
  const all = [...code, lines.python, lines.curl].join('\n');
  await prepare(all);
  const expected = await runTypeScript(code);
  await prepare(all);
  const inPython = await runPython(lines.python);
  await prepare(all);
  const inCurl = await runCurl(lines.curl);
  expect(expected.error ?? 'NotVerified').toBe('NotVerified');
  if (code.length === 0) {
    // Without a TypeScript line, because the guide's table only describes this call: compares Python with curl.
    expect(inCurl.requests).toEqual(inPython.requests);
    expect(inPython).toMatchObject({ requests: [{ method: 'POST' }], error: undefined });
    return;
  }
  expect(inPython).toEqual(expected);
  if (expected.requests.length === 0) return;
  // Over HTTP, `verify` returns a result instead of throwing an error that also lists unused controls.
  const isMiss = expected.error === 'NotVerified' && expected.requests.at(-1)?.path === '/api/lab/unused';
  expect(inCurl.requests).toEqual(isMiss ? expected.requests.slice(0, -1) : expected.requests);
}

/** The everyday run compares every eighth situation. */
const isEveryday = (_situation: string, index: number): boolean => index % 8 === 0;
const situations = [...python.keys()];
test.each(situations.filter(isEveryday))('sends the same requests in three languages: %s', compareLanguages);
test.each(situations.filter((situation, index) => !isEveryday(situation, index)))(
  'also sends the same requests in three languages: %s',
  { tags: 'whole' },
  compareLanguages,
);
