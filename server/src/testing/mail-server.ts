import { once } from 'node:events';
import { createServer } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A mail as it arrived. */
export interface ReceivedMail {
  from: string;
  to: string[];
  /** Headers and body. */
  raw: string;
}

/** A real mail server on loopback. */
export interface TestMailServer {
  received: ReceivedMail[];
  close(): Promise<void>;
}

export interface TestMailServerOptions {
  port: number;
  /** The reply code for a recipient that is refused. */
  refuse?: (to: string) => number | undefined;
  /** Called for each mail before it is accepted. */
  onData?: () => void | Promise<void>;
}

/** A port on which nobody listens. */
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
      callback(responseCode ? Object.assign(new Error('Not this one.'), { responseCode }) : null);
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
  // Some tests are about clients that disconnect in the middle of a mail.
  server.on('error', () => {});
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  return { received, close: () => new Promise((resolve) => server.close(() => resolve())) };
}
