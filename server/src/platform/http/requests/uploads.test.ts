import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { endpoint } from '@orchestrate/shared';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import { Refusal } from '../../refusal.ts';
import { implement } from '../implement.ts';

const MAX = 100_000;

const entry = endpoint({
  method: 'POST',
  path: '/test/upload',
  area: 'Service',
  summary: 'A file and what is said about it',
  access: { who: 'public' },
  multipart: z.object({ title: z.string(), note: z.string().optional() }),
  file: { maxBytes: MAX, example: 'a.bin' },
  reply: z.object({ title: z.string(), note: z.string(), name: z.string(), bytes: z.number(), hash: z.string() }),
});

const optional = endpoint({
  method: 'POST',
  path: '/test/optional-upload',
  area: 'Service',
  summary: 'What is said, and perhaps a file',
  access: { who: 'public' },
  multipart: z.object({ title: z.string(), note: z.string().optional() }),
  file: { maxBytes: MAX, example: 'a.bin', isOptional: true },
  reply: z.object({ title: z.string(), hasFile: z.boolean(), isTooLarge: z.boolean() }),
});

let portal: TestPortal;
/** For each upload, how reading the file ended in the handler. */
let ends: unknown[];

beforeEach(async () => {
  ends = [];
  portal = await testPortal({
    register: (app, deps) => {
      implement(app, deps, optional, ({ form: { title }, file }) => ({
        title,
        hasFile: file !== undefined,
        isTooLarge: file?.isTooLarge ?? false,
      }));
      implement(app, deps, entry, async ({ form: { title, note = '' }, file }) => {
        if (title === 'refused') throw new Refusal('FORBIDDEN');
        const hash = createHash('sha256');
        let bytes = 0;
        try {
          for await (const chunk of file.chunks) {
            hash.update(chunk);
            bytes += chunk.length;
          }
          ends.push('complete');
        } catch (reason) {
          ends.push(reason);
          throw reason;
        }
        return { title, note, name: file.name, bytes, hash: hash.digest('hex') };
      });
    },
  });
});
afterEach(() => portal.close());

const content = (bytes: number) => Buffer.alloc(bytes, 'abcdefghijklmnopqrstuvwxyz\n');
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const fileOf = (bytes: number, name = 'people.csv') => new File([content(bytes)], name);

function formOf(...parts: [name: string, value: string | File][]): FormData {
  const form = new FormData();
  for (const [name, value] of parts) form.append(name, value);
  return form;
}
const send = (...parts: [name: string, value: string | File][]) => portal.call(entry, { body: formOf(...parts) });

test.each([
  ['after', ['title', 'note', 'file']],
  ['before', ['file', 'title', 'note']],
  ['between', ['title', 'file', 'note']],
])('accepts a file %s the other fields', async (_where, order) => {
  const values: Record<string, string | File> = { title: 'People', note: 'of acme', file: fileOf(90_000) };
  const { status, body } = await send(...order.map((name): [string, string | File] => [name, values[name] ?? '']));
  expect(status).toBe(200);
  expect(body).toMatchObject({ title: 'People', note: 'of acme', name: 'people.csv', bytes: 90_000 });
  expect(body.hash).toBe(hashOf(content(90_000)));
});

test('ignores an undeclared field and a file with another name', async () => {
  const { body } = await send(['extra', 'x'], ['photo', fileOf(10)], ['title', 'a'], ['file', fileOf(20)]);
  expect(body).toMatchObject({ resultCode: 0, bytes: 20 });
});

test('reports a missing file or field of an upload by name', async () => {
  expect((await send(['title', 'a'], ['note', ''])).body).toMatchObject({
    resultName: 'INVALID_REQUEST',
    issues: [{ path: 'file' }],
  });
  expect((await send(['file', fileOf(5)])).body).toMatchObject({
    resultName: 'INVALID_REQUEST',
    issues: [{ path: 'title' }],
  });
});

// covers: security 5.2.1
test('accepts a file up to the limit and refuses one byte more: 413, code 65', async () => {
  expect(await send(['title', 'a'], ['note', ''], ['file', fileOf(MAX)])).toMatchObject({
    status: 200,
    body: { bytes: MAX },
  });
  for (const bytes of [MAX + 1, MAX + 200_000]) {
    const refused = await send(['title', 'a'], ['note', ''], ['file', fileOf(bytes)]);
    expect(refused).toMatchObject({ status: 413, body: { resultName: 'BAD_REQUEST' } });
  }
  // The handler received no data from the file that is too large.
  expect(ends).toEqual(['complete']);
});

test('refuses a body that is not a form: 415, code 65', async () => {
  for (const type of ['application/json', 'text/csv', 'application/x-www-form-urlencoded']) {
    expect(await portal.http.post(`/api${entry.path}`).type(type).send('{}')).toMatchObject({
      status: 415,
      body: { resultName: 'BAD_REQUEST' },
    });
  }
});

const head = '--b\r\nContent-Disposition: form-data; name="title"\r\n\r\na\r\n';
const note = '--b\r\nContent-Disposition: form-data; name="note"\r\n\r\n\r\n';
const fileHead = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n';

/** Sends raw bytes in chunks, without a Content-Length. */
async function sendRaw(pieces: readonly (string | Buffer)[], agent?: Agent) {
  const sent = request(`${portal.url}/api${entry.path}`, {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    agent,
  });
  for (const piece of pieces) sent.write(piece);
  sent.end();
  const [response] = await once(sent, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) };
}

test('applies the same limit to an upload without a Content-Length', async () => {
  const bytes = content(MAX);
  expect(await sendRaw([head, note, fileHead, bytes, '\r\n--b--\r\n'])).toMatchObject({
    status: 200,
    body: { bytes: MAX, hash: hashOf(bytes) },
  });
  const tooLarge = await sendRaw([head, note, fileHead, content(MAX + 1), '\r\n--b--\r\n']);
  expect(tooLarge).toMatchObject({ status: 413, body: { resultName: 'BAD_REQUEST' } });
});

test.each([
  ['ends within a file', [head, note, fileHead, 'a,b\n']],
  ['ends within a field', [head, '--b\r\nContent-Disposition: form-data; name="note"\r\n\r\nabc']],
  ['has no boundary', ['nothing of the kind']],
])('refuses a form that %s: 400, code 65', async (_how, pieces) => {
  expect(await sendRaw(pieces)).toMatchObject({ status: 400, body: { resultName: 'BAD_REQUEST' } });
});

test('refuses thousands of fields and states the limit: 413, code 65', async () => {
  const field = '--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n1\r\n';
  const answer = await sendRaw([field.repeat(5_000), fileHead, 'a', '\r\n--b--\r\n']);
  const message = 'Forms can have at most 30 fields and 4 files.';
  expect(answer).toMatchObject({ status: 413, body: { resultName: 'BAD_REQUEST', message } });
});

test.each(['streamed', 'buffered'])('stops the handler of an interrupted upload that is %s', async (how) => {
  const { port } = new URL(portal.url);
  const before = [head, ...(how === 'streamed' ? [note] : []), fileHead].join('');
  const socket = connect(Number(port), 'localhost');
  socket.write(
    `POST /api${entry.path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 90000\r\n\r\n${before}a,b\n`,
  );
  await once(socket, 'ready');
  // Interrupt only after the server has started to read.
  const received = once(portal.app.server, 'request');
  await received;
  socket.destroy();
  await expect.poll(() => (how === 'streamed' ? ends.length : leftBehind().length === 0)).toBeTruthy();
  for (const reason of ends) expect(reason).toMatchObject({ result: 'BAD_REQUEST' });
  expect((await send(['title', 'a'], ['file', fileOf(5)])).status).toBe(200);
});

const leftBehind = () => readdirSync(tmpdir()).filter((name) => name.startsWith('orchestrate-upload-'));

test('reuses the connection after a refusal', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const refused = head.replace('\r\na\r\n', '\r\nrefused\r\n');
  expect((await sendRaw([refused, note, fileHead, content(80_000), '\r\n--b--\r\n'], agent)).status).toBe(403);
  expect((await sendRaw([head, note, fileHead, content(10), '\r\n--b--\r\n'], agent)).status).toBe(200);
  agent.destroy();
});

// covers: security 5.3.2
test('leaves no file behind after an upload that is buffered on disk', async () => {
  const before = leftBehind();
  await Promise.all([1, 2, 3].map(() => send(['file', fileOf(50_000)], ['title', 'a'])));
  await send(['file', fileOf(MAX + 1)], ['title', 'a']);
  expect(leftBehind()).toEqual(before);
});

test('accepts a form if the optional file is absent or too large', async () => {
  const answer = async (...parts: [name: string, value: string | File][]) =>
    (await portal.call(optional, { body: formOf(...parts) })).body;
  expect(await answer(['title', 'a'])).toEqual({ resultCode: 0, title: 'a', hasFile: false, isTooLarge: false });
  expect(await answer(['title', 'a'], ['file', fileOf(MAX)])).toMatchObject({ hasFile: true, isTooLarge: false });
  for (const bytes of [MAX + 1, MAX + 100_000, 3 * MAX]) {
    expect(await answer(['title', 'a'], ['file', fileOf(bytes)])).toMatchObject({ title: 'a', isTooLarge: true });
  }
  // Fields after the file are not read, so the title is missing here.
  expect(await answer(['file', fileOf(MAX + 1)], ['title', 'a'])).toMatchObject({ issues: [{ path: 'title' }] });
});
