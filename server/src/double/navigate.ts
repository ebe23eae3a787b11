import { type IncomingMessage, request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { buffer } from 'node:stream/consumers';

/** Answers that never have a body (RFC 9110 §15). */
const BODILESS = [204, 205, 304];

/** What browsers say of somebody who follows a link (Fetch Metadata §2). */
const NAVIGATION = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

/**
 * Sends a request as a browser does when it goes to a page, and follows no redirect. Node's own `fetch` says that a
 * script asks, which applications answer with 401 instead of a sign-in.
 * @throws where nobody answers
 */
export async function navigate(
  url: URL,
  { method, headers, body }: { method: string; headers: Record<string, string>; body?: string | undefined },
): Promise<Response> {
  const send = url.protocol === 'https:' ? overHttps : overHttp;
  const request = send(url, { method, headers: { ...NAVIGATION, ...headers } }).end(body);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject);
  }).catch((cause: unknown) => {
    throw new Error(`${url.origin} did not answer.`, { cause });
  });
  const { statusCode = 0, headersDistinct } = answer;
  const content = new Uint8Array(await buffer(answer));
  const pairs = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return new Response(BODILESS.includes(statusCode) ? null : content, { status: statusCode, headers: pairs });
}
