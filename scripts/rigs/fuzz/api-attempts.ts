import { CHANNELS, ENDPOINTS } from '@orchestrate/server/testing/contract-entries';
import { hostileAddress, oddValue, spoilRequestPart } from '@orchestrate/server/testing/hostile';
import { sampleOf } from '@orchestrate/server/testing/sample-of';
import fc from 'fast-check';
import type { Attempt, Sender } from './attempt.ts';

/** All endpoints except the lab's, which break the portal on purpose, and endpoints that end the sender's session. */
const ENTRIES = ENDPOINTS.filter(
  ({ area, path }) => area !== 'Lab' && path !== '/logout' && path !== '/user/sessions/end',
);

export const sender: fc.Arbitrary<Sender> = fc.oneof(
  { weight: 8, arbitrary: fc.nat(999).map((person) => ({ person })) },
  { weight: 1, arbitrary: fc.constant('anonymous' as const) },
);

/** JSON nested deeply enough to overflow the stack of a recursive parser. */
export const deeplyNestedJson = fc
  .tuple(fc.constantFrom('[', '{"a":'), fc.integer({ min: 10, max: 40_000 }))
  .map(([open, depth]) => `${open.repeat(depth)}1${(open === '[' ? ']' : '}').repeat(depth)}`);

const TYPES = [
  'application/json',
  'application/json; charset=utf-16',
  'text/plain',
  'multipart/form-data; boundary=x',
  '',
];

/** A form upload whose file has invalid headers and content. */
const form = fc
  .record({
    name: fc.string({ maxLength: 20 }),
    fileName: fc.string({ maxLength: 60 }),
    content: fc.string({ unit: 'binary' }),
  })
  .map(({ name, fileName, content }) =>
    [
      '--x',
      `Content-Disposition: form-data; name="${name}"`,
      '',
      'mobile',
      '--x',
      `Content-Disposition: form-data; name="file"; filename="${fileName}"`,
      'Content-Type: text/csv',
      '',
      content,
      '--x--',
      '',
    ].join('\r\n'),
  );

/**
 * Existing values by parameter name, because requests with valid IDs reach more code. `@…` placeholders are replaced
 * with values from the portal.
 */
const REAL: Readonly<Record<string, unknown>> = {
  suid: '@suid',
  zid: '@zid',
  appId: 'team-wiki',
  roleCode: 'AUDITOR',
  primaryAttr: 'user@acme.test',
};

const withRealThings = (part: Record<string, unknown> | undefined) =>
  part && Object.fromEntries(Object.entries(part).map(([name, value]) => [name, REAL[name] ?? value]));

/** A partially invalid API call. */
export const apiAttempt: fc.Arbitrary<Attempt> = fc.constantFrom(...ENTRIES).chain((entry) => {
  const { params, query, body: fields } = sampleOf(entry);
  const sample = { params: withRealThings(params), query: withRealThings(query), body: withRealThings(fields) };
  const body = fc.oneof(
    { weight: 6, arbitrary: spoilRequestPart(sample.body).map((value) => JSON.stringify(value) ?? 'undefined') },
    { weight: 1, arbitrary: fc.string({ maxLength: 500 }) },
    { weight: 1, arbitrary: deeplyNestedJson },
  );
  return fc
    .record({
      params: spoilRequestPart(sample.params),
      query: spoilRequestPart(sample.query),
      upload: form,
      body,
      type: fc.oneof({ weight: 9, arbitrary: fc.constant('application/json') }, fc.constantFrom(...TYPES)),
      sender,
    })
    .map(({ params, query, upload, body, type, sender }) => ({
      kind: 'http' as const,
      what: `${entry.method} ${entry.path}`,
      method: entry.method,
      path: `/api${hostileAddress(entry, params, query)}`,
      type: entry.multipart ? 'multipart/form-data; boundary=x' : type,
      body: entry.method === 'GET' ? null : entry.multipart ? upload : body,
      sender,
    }));
});

/** A WebSocket connection with an invalid query and unexpected messages. */
export const channelAttempt: fc.Arbitrary<Attempt> = fc.constantFrom(...CHANNELS).chain((channel) => {
  const names = Object.keys(channel.query.shape);
  const message = fc.oneof(
    fc
      .dictionary(fc.constantFrom('action', 'type', 'aid', 'confirm', 'op', 'value', 'zid', 'jws'), oddValue, {
        noNullPrototype: true,
      })
      .map((value) => JSON.stringify(value)),
    fc.string({ maxLength: 200 }),
    deeplyNestedJson,
    fc.constant('x'.repeat(20_000)),
  );
  return fc
    .record({
      query: fc.dictionary(fc.constantFrom(...names, 'unknown'), oddValue, { noNullPrototype: true }),
      messages: fc.array(message, { maxLength: 4 }),
      sender,
    })
    .map(({ query, messages, sender }) => {
      const search = Object.entries(query)
        .map(([name, value]) => `${name}=${encodeURIComponent(String(JSON.stringify(value)).toWellFormed())}`)
        .join('&');
      return {
        kind: 'socket' as const,
        what: channel.path,
        path: `${channel.path}?${search}`.slice(0, 8_000),
        messages,
        sender,
      };
    });
});
