import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A received request. */
export interface ReceivedRequest {
  headers: Record<string, string>;
  body: string;
}

interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

/** Starts a third-party receiver that records requests and sends the configured responses. */
export async function startReceiver() {
  const received: ReceivedRequest[] = [];
  let answer: Answer | ((received: ReceivedRequest) => Answer | Promise<Answer>) = { status: 204 };
  let onReceived = () => {};
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const message = { headers, body: Buffer.concat(chunks).toString() };
    received.push(message);
    onReceived();
    const { status, headers: sent, body } = await (typeof answer === 'function' ? answer(message) : answer);
    response.writeHead(status, sent).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answerWith(next: typeof answer) {
      answer = next;
    },
    /** Waits until `count` requests have been received in total. */
    async until(count: number) {
      while (received.length < count) await new Promise<void>((resolve) => (onReceived = resolve));
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
