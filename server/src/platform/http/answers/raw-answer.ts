import { type Refusal, refusalBody } from '../../refusal.ts';

/** A refusal as the bytes of an HTTP answer, for a connection that has no usable reply object any more. */
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
