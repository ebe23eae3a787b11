import { endpoint, getProfile } from '@orchestrate/shared';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { type TestPortal, testPortal } from '#testing/test-portal.ts';
import { Refusal } from '../refusal.ts';
import { successWith } from './answers/answer.ts';
import { implement } from './implement.ts';

const entry = endpoint({
  method: 'POST',
  path: '/test/shared',
  area: 'Service',
  summary: 'What all endpoints share',
  access: { who: 'public' },
  body: z.object({ behaviour: z.string() }),
  reply: z.object({ name: z.string(), inner: z.object({ count: z.number() }).optional() }),
  news: ['CODE_RESENT'],
  refuses: ['EXPIRED', 'DEVICE_ADD_LIMIT_REACHED'],
  refusalStatus: { EXPIRED: 410 },
});

const behaviours: Record<string, () => ReturnType<Parameters<typeof implement<typeof entry>>[3]>> = {
  reply: () => ({ name: 'a' }),
  news: () => successWith('CODE_RESENT', { name: 'a' }),
  'a declared refusal': () => {
    throw new Refusal('DEVICE_ADD_LIMIT_REACHED');
  },
  'a refusal with a status of its own': () => {
    throw new Refusal('EXPIRED', { message: 'Too late.', retryAfterSeconds: 30, fields: { since: 'noon' } });
  },
  'an undeclared refusal': () => {
    throw new Refusal('ACCOUNT_LOCKED');
  },
  'an undeclared field': () => {
    const row = { name: 'a', inner: { count: 1, secret: 'hunter2' } };
    return row;
  },
  'a wrong type': () => JSON.parse('{"name":1}'),
  'an undeclared success code': () =>
    JSON.parse('null') ?? Object.assign(successWith('CODE_RESENT', { name: 'a' }), { result: 'EMAIL_VERIFIED' }),
  'a defect': () => {
    throw new TypeError('the table has no column secret_code');
  },
};

let portal: TestPortal;
const lines: string[] = [];

async function answer(behaviour: string, config = {}) {
  lines.length = 0;
  portal = await testPortal({
    config,
    onLog: (line) => lines.push(line),
    register: (app, deps) => implement(app, deps, entry, ({ body }) => behaviours[body.behaviour]?.() ?? { name: '' }),
  });
  return portal.call(entry, { body: { behaviour } });
}
afterEach(() => portal.close());

// covers: security 14.2.2
test('sends a reply with resultCode 0 that must not be cached', async () => {
  const { status, body, headers } = await answer('reply');
  expect({ status, body }).toEqual({ status: 200, body: { resultCode: 0, name: 'a' } });
  expect(headers['cache-control']).toBe('no-store');
});

test('sends the success code along with the reply fields', async () => {
  expect((await answer('news')).body).toEqual({ resultCode: 70, name: 'a' });
});

test('sends a declared refusal with its code, name, message and request ID', async () => {
  const { status, body } = await answer('a declared refusal');
  expect(status).toBe(200);
  expect(body).toEqual({
    resultCode: 36,
    resultName: 'DEVICE_ADD_LIMIT_REACHED',
    message: 'You’ve reached the device limit. Remove a device to add another.',
    requestId: expect.stringMatching(/^[\w-]+$/),
  });
});

test('overrides a refusal’s HTTP status with the status in its contract entry', async () => {
  const { status, body, headers } = await answer('a refusal with a status of its own');
  expect(status).toBe(410);
  expect(body).toMatchObject({ resultCode: 10, message: 'Too late.', since: 'noon' });
  expect(headers['retry-after']).toBe('30');
});

test.each(['an undeclared refusal', 'an undeclared field', 'a wrong type', 'an undeclared success code'])(
  'reports %s as a server error in the log and in the response',
  async (behaviour) => {
    const { status, body } = await answer(behaviour);
    expect(status).toBe(500);
    expect(body).toMatchObject({ resultCode: 7, resultName: 'FAILED' });
    expect(body.message).toContain('POST /test/shared');
    expect(lines.join()).toContain('POST /test/shared');
  },
);

test('logs the paths at which a reply differs from its contract, but never the values', async () => {
  await answer('an undeclared field');
  const logged = lines.find((line) => line.includes('differs'));
  expect(logged).toContain('differs from its contract at: inner.secret.');
  expect(logged).not.toContain('hunter2');
});

// covers: security 15.3.1
test('sends an undeclared refusal but drops undeclared fields in production', async () => {
  const refused = await answer('an undeclared refusal', { isProduction: true });
  expect(refused.body).toMatchObject({ resultCode: 11, resultName: 'ACCOUNT_LOCKED' });
  await portal.close();
  const replied = await answer('an undeclared field', { isProduction: true });
  expect(replied.body).toEqual({ resultCode: 0, name: 'a', inner: { count: 1 } });
});

// covers: security 13.4.2, security 16.2.3, security 16.2.4, security 16.3.4, security 16.4.1, security 16.5.1
test('logs an unexpected error’s details with the request ID but does not send them', async () => {
  const { status, body } = await answer('a defect');
  expect(status).toBe(500);
  expect(body).toMatchObject({ resultCode: 7, message: 'Something went wrong!' });
  const logged = lines.find((line) => line.includes('secret_code'));
  expect(logged).toContain(body.requestId);
});

test('refuses to implement an endpoint twice', async () => {
  await expect(
    testPortal({ register: (app, deps) => implement(app, deps, getProfile, () => JSON.parse('{}')) }),
  ).rejects.toThrow(/already declared/);
  portal = await testPortal();
});
