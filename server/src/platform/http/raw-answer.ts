import { type Refusal, refusalBody } from '../refusal.ts';

/** A refusal as the bytes of an HTTP answer, for a connection of which nothing is left that could be replied to. */
export function rawAnswer(status: `${number} ${string}`, refusal: Refusal, requestId: string): string {
  const body = JSON.stringify(refusalBody(refusal, requestId));
  return [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
