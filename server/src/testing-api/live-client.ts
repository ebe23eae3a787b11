import {
  asSubprotocol,
  type ChannelDefinition,
  type ClientMessage,
  LIVE_PROTOCOL,
  type RefusalBody,
  readJson,
  type ServerMessage,
} from '@orchestrate/shared';
import { PortalUnreachable } from '@orchestrate/shared/authenticator';
import { WebSocket } from 'ws';
import { fieldsOf } from '#platform/http/callers/permissions.ts';

/** Appends field issues to a refusal's message, because tests print little more than an error's message. */
export function describeRefusal(message: string, issues: RefusalBody['issues'] = []): string {
  const others = issues.filter((issue) => issue.message !== message);
  const fields = others.map((issue) => (issue.path ? `${issue.path}: ${issue.message}` : issue.message));
  return [message, fields.join('; ')].filter(Boolean).join(' ');
}

/** Client of a live channel. */
export interface LiveClient<C extends ChannelDefinition> {
  /** Returns the next unread message, waiting for it if necessary. Rejects once the channel has closed. */
  next(): Promise<ServerMessage<C>>;
  /** Returns the number of unread messages. */
  waiting(): number;
  /** Sends a message. @throws Error once the channel has closed */
  send(message: ClientMessage<C>): void;
  /** Sends any data, even if it violates the schema. */
  sendRaw(data: string | Buffer): void;
  closed: Promise<{ code: number; reason: string }>;
  close(): void;
}

/** Thrown when the server refuses the WebSocket upgrade. */
export class UpgradeRefused extends Error {
  override readonly name = 'UpgradeRefused';
  readonly status: number;
  /** The portal's refusal; empty if something else responded, such as a proxy. */
  readonly body: Partial<RefusalBody>;

  constructor(status: number, text: string) {
    const body: Partial<RefusalBody> = fieldsOf(readJson(text));
    const { resultName, message = '', issues } = body;
    const said = resultName ? `${resultName}: ${describeRefusal(message, issues)}` : text.slice(0, SHOWN_LENGTH);
    super(`${status} ${said}`);
    this.status = status;
    this.body = body;
  }
}

/** How much of another server's response to include in the message, in characters. */
const SHOWN_LENGTH = 200;

/** Opens a channel. @throws UpgradeRefused, PortalUnreachable */
export function openChannel<const C extends ChannelDefinition>(
  origin: string,
  channel: C,
  query: object,
  token?: string,
): Promise<LiveClient<C>> {
  const address = new URL(channel.path, origin.replace(/^http/, 'ws'));
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, String(value));
  const socket = new WebSocket(address, token === undefined ? [LIVE_PROTOCOL] : [LIVE_PROTOCOL, asSubprotocol(token)]);
  const client = clientOf<C>(socket);
  return new Promise((resolve, reject) => {
    socket.on('open', () => resolve(client));
    socket.on('error', (cause) => reject(new PortalUnreachable(origin, cause)));
    socket.on('unexpected-response', (_request, response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        reject(new UpgradeRefused(response.statusCode ?? 0, Buffer.concat(chunks).toString()));
      });
    });
  });
}

const CLOSED = 'The channel has closed.';

function clientOf<C extends ChannelDefinition>(socket: WebSocket): LiveClient<C> {
  const messages: ServerMessage<C>[] = [];
  const takers: { resolve: (message: ServerMessage<C>) => void; reject: (reason: Error) => void }[] = [];
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => {
      resolve({ code, reason: reason.toString() });
      for (const taker of takers.splice(0)) taker.reject(new Error(`The channel closed: ${code} ${reason}`));
    });
  });
  socket.on('message', (data: Buffer) => {
    const message: ServerMessage<C> = JSON.parse(data.toString());
    const taker = takers.shift();
    if (taker) taker.resolve(message);
    else messages.push(message);
  });
  const hasClosed = () => socket.readyState >= WebSocket.CLOSING;
  const send = (data: string | Buffer) => {
    if (hasClosed()) throw new Error(CLOSED);
    socket.send(data);
  };
  return {
    next() {
      const message = messages.shift();
      if (message !== undefined) return Promise.resolve(message);
      if (hasClosed()) return Promise.reject(new Error(CLOSED));
      return new Promise((resolve, reject) => takers.push({ resolve, reject }));
    },
    waiting: () => messages.length,
    send: (message) => send(JSON.stringify(message)),
    sendRaw: send,
    closed,
    close: () => socket.close(),
  };
}
