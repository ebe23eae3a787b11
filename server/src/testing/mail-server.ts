import { once } from 'node:events';
import { createServer } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** An email received by the server. */
export interface ReceivedMail {
  from: string;
  to: string[];
  /** Headers and body. */
  raw: string;
}

/** A real mail server on the loopback interface. */
export interface TestMailServer {
  received: ReceivedMail[];
  close(): Promise<void>;
}

export interface TestMailServerOptions {
  port: number;
  /** Returns the reply code that refuses a recipient, or undefined to accept. */
  refuse?: (to: string) => number | undefined;
  /** Called for each email before it is accepted. */
  onData?: () => void | Promise<void>;
}

/** Returns an unused port. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

export async function startMailServer({ port, refuse, onData }: TestMailServerOptions): Promise<TestMailServer> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo({ address }, _session, callback) {
      const responseCode = refuse?.(address);
      callback(responseCode ? Object.assign(new Error('Recipient refused.'), { responseCode }) : null);
    },
    async onData(stream, { envelope }, callback) {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk);
      await onData?.();
      received.push({
        from: envelope.mailFrom ? envelope.mailFrom.address : '',
        to: envelope.rcptTo.map(({ address }) => address),
        raw: Buffer.concat(chunks).toString(),
      });
      callback();
    },
  });
  // Some tests use clients that disconnect in the middle of an email.
  server.on('error', () => {});
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  return { received, close: () => new Promise((resolve) => server.close(() => resolve())) };
}
