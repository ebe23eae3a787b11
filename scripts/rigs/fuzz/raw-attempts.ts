import fc from 'fast-check';
import type { Attempt } from './attempt.ts';

const REQUEST_LINES = [
  'GET / HTTP/1.1',
  'POST /api/user/login HTTP/1.1',
  'GET /ws/login?loginId=x HTTP/1.1',
  'G\0T / HTTP/1.1',
  'GET http://[::1 HTTP/1.1',
  'PRI * HTTP/2.0',
  'GET //%ff HTTP/1.0',
];
const HEADERS = [
  'Host: localhost',
  'Content-Length: 5',
  'Content-Length: -1',
  'Content-Length: 99999999999',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: chunked, identity',
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Version: 99',
  'Expect: 100-continue',
  `X: ${'y'.repeat(20_000)}`,
  'Bad Header',
  ' Folded: x',
  'Content-Type: application/json',
];

/** Input that hardly resembles HTTP. */
export const rawAttempt: fc.Arbitrary<Attempt> = fc
  .record({
    line: fc.oneof(fc.constantFrom(...REQUEST_LINES), fc.string({ unit: 'binary-ascii', maxLength: 80 })),
    headers: fc.array(fc.constantFrom(...HEADERS), { maxLength: 6 }),
    body: fc.oneof(
      fc.constantFrom('', '5\r\nhello\r\n0\r\n\r\n', 'ffffffffffffffff\r\n', '{"a":'),
      fc.string({ unit: 'binary-ascii', maxLength: 60 }),
    ),
  })
  .map(({ line, headers, body }) => ({
    kind: 'raw',
    what: 'bytes',
    bytes: [line, ...headers, 'Connection: close', '', body].join('\r\n'),
  }));
