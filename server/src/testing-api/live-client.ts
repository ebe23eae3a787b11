import { clearTimeout, setTimeout } from 'node:timers';
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
import { limitArguments, type Options, requireOptions } from './require-options.ts';

type Refused = Pick<RefusalBody, 'resultCode' | 'resultName' | 'message' | 'issues'> & { status: number };

/**
 * Describes a refusal in one line with the call and the invalid fields, because tests print little more than an error's
 * message.
 * @param call method and path
 */
export function describeRefusal(
  call: string,
  { status, resultName, resultCode, message, issues = [] }: Refused,
): string {
  const fields = issues.map((issue) => (issue.path ? `${issue.path}: ${issue.message}` : issue.message)).join('; ');
  const isRepeated = issues.length === 1 && issues[0]?.message === message;
  const text = isRepeated ? fields : [message, fields].filter(Boolean).join(' ');
  return `${call} → ${status} ${resultName} (${resultCode}): ${text}`;
}

export interface NextOptions {
  /** Maximum wait, in milliseconds of real time. Default: no limit. */
  timeout?: number;
}

/** Client of a live channel. */
export interface LiveClient<C extends ChannelDefinition> {
  /**
   * Returns the next unread message, waiting for it if necessary. Rejects with the last state once the channel has
   * closed, or after `timeout` milliseconds of real time. Default: no limit.
   */
  next(options?: NextOptions): Promise<ServerMessage<C>>;
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

  constructor(call: string, status: number, text: string) {
    const body: Partial<RefusalBody> = fieldsOf(readJson(text));
    const { resultName, resultCode = 0, message = '', issues } = body;
    super(
      resultName
        ? describeRefusal(call, { status, resultName, resultCode, message, issues })
        : `${call} → ${status} ${text.slice(0, SHOWN_LENGTH)}`,
    );
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
  const client = clientOf<C>(socket, channel.path);
  return new Promise((resolve, reject) => {
    socket.on('open', () => resolve(client));
    socket.on('error', (cause) => reject(new PortalUnreachable(origin, cause)));
    socket.on('unexpected-response', (_request, response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        reject(new UpgradeRefused(`GET ${channel.path}`, response.statusCode ?? 0, Buffer.concat(chunks).toString()));
      });
    });
  });
}

const CLOSED = 'The channel has closed.';
/** Longest timeout of `next`, in milliseconds. */
const TIMEOUT_MAX = 600_000;

/** Maximum length of a message that is quoted in an error, in characters. */
const EXCERPT_LENGTH = 200;

/** Describes a channel's last message in a sentence. The name of its state depends on the channel. */
function describeLast(message: unknown): string {
  if (message === undefined) return 'There has been no message.';
  const { state, respType } = fieldsOf(message);
  const last = state ?? respType;
  return typeof last === 'string'
    ? `The last state was ${last}.`
    : `The last message was ${JSON.stringify(message).slice(0, EXCERPT_LENGTH)}`;
}

export const NEXT_OPTIONS: Options = { timeout: ['number'] };

function clientOf<C extends ChannelDefinition>(socket: WebSocket, path: string): LiveClient<C> {
  let last: ServerMessage<C> | undefined;
  const messages: ServerMessage<C>[] = [];
  const takers: { resolve: (message: ServerMessage<C>) => void; reject: (reason: Error) => void }[] = [];
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => {
      resolve({ code, reason: reason.toString() });
      for (const taker of takers.splice(0)) {
        taker.reject(new Error(`${path} closed: ${[code, reason].join(' ').trim()}. ${describeLast(last)}`));
      }
    });
  });
  socket.on('message', (data: Buffer) => {
    const message: ServerMessage<C> = JSON.parse(data.toString());
    last = message;
    const taker = takers.shift();
    if (taker) taker.resolve(message);
    else messages.push(message);
  });
  const hasClosed = () => socket.readyState >= WebSocket.CLOSING;
  const send = (data: string | Buffer) => {
    if (hasClosed()) throw new Error(CLOSED);
    socket.send(data);
  };
  const client: LiveClient<C> = {
    async next(options = {}) {
      requireOptions('live.next', options, NEXT_OPTIONS);
      const { timeout } = options;
      if (timeout !== undefined && !(timeout > 0 && timeout <= TIMEOUT_MAX)) {
        throw new TypeError(`live.next expects a timeout from 1 to ${TIMEOUT_MAX} ms, not ${timeout}`);
      }
      const message = messages.shift();
      if (message !== undefined) return message;
      if (hasClosed()) throw new Error(`${CLOSED} ${describeLast(last)}`);
      return await new Promise((resolve, reject) => {
        const taker = { resolve, reject };
        takers.push(taker);
        if (timeout === undefined) return;
        const timer = setTimeout(() => {
          takers.splice(takers.indexOf(taker), 1);
          reject(new Error(`No message arrived on ${path} within ${timeout} ms. ${describeLast(last)}`));
        }, timeout);
        taker.resolve = (one) => {
          clearTimeout(timer);
          resolve(one);
        };
        taker.reject = (reason) => {
          clearTimeout(timer);
          reject(reason);
        };
      });
    },
    waiting: () => messages.length,
    send: (message) => send(JSON.stringify(message)),
    sendRaw: send,
    closed,
    close: () => socket.close(),
  };
  return limitArguments('live', client, { next: 1, waiting: 0, send: 1, sendRaw: 1, close: 0 });
}
