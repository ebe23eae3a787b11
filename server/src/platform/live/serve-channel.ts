import {
  type ChannelDefinition,
  type ClientMessage,
  findBearerToken,
  type Language,
  type ServerMessage,
} from '@orchestrate/shared';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Deps } from '#deps.ts';
import { userAgentOf } from '../http/callers/browser.ts';
import { type Caller, requireCaller } from '../http/callers/caller.ts';
import { fieldsOf, requireOwnOrganisation } from '../http/callers/permissions.ts';
import { requireLab } from '../http/callers/require-lab.ts';
import { readPart } from '../http/requests/read-request.ts';
import { Refusal } from '../refusal.ts';
import { languageOf } from '../words/language.ts';
import { Connection, type Opening, type View } from './connection.ts';

/** A message without its timestamp, which is added on sending. */
type Untimed<Message> = Message extends unknown ? Omit<Message, 'timestamp'> : never;

/** The current state of a channel. */
export interface LiveState<C extends ChannelDefinition> {
  message: Untimed<ServerMessage<C>>;
  /** When this state expires and must be requested again, in milliseconds since the epoch. */
  expiresAt?: number;
}

/** A feature's view of one open socket. */
export interface LiveView<C extends ChannelDefinition> {
  /** Bus topics that signal a state change, after which the state is requested again. */
  topics: readonly string[];
  /**
   * Returns the complete current state. The state is sent if it differs from the last one sent, ignoring the
   * timestamp.
   * @throws Refusal if the state no longer exists, which closes the socket
   */
  state: () => LiveState<C>;
  /**
   * Handles a valid message. The state is always sent afterwards. Without this function, the channel accepts no messages.
   * @throws Refusal to close the socket
   */
  onMessage?: (message: ClientMessage<C>) => void | Promise<void>;
  onClose?: () => void;
}

/** What a feature knows about a socket that is opening. */
export interface LiveOpening<C extends ChannelDefinition> {
  query: z.output<C['query']>;
  /** The signed-in user, set if the channel requires one. */
  caller: C['access'] extends 'signed-in' ? Caller : undefined;
  /** The first message, which authenticates the device. Set if the channel requires a device. */
  first: C['access'] extends 'device' ? ClientMessage<C> : undefined;
  ip: string;
  userAgent: string;
  /** Language for message texts. */
  language: Language;
}

export interface ChannelFeature<C extends ChannelDefinition> {
  /**
   * Called once per socket. Runs before the upgrade, where a refusal becomes an HTTP response; for device channels,
   * runs on the first message.
   * @throws Refusal
   */
  open: (opening: LiveOpening<C>) => LiveView<C> | Promise<LiveView<C>>;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The opened channel, set once access has been granted. */
    opened: Opened | null;
  }
}

/** The result of opening a channel before the upgrade. */
interface Opened {
  opening: Opening;
  /** Absent on device channels until the first message has authenticated the device. */
  view: View | undefined;
  /** Closes the view if the socket never opens. */
  abandon: () => void;
}

/**
 * Serves a channel of the contract: registers its route, checks access, and sends the complete state on every change
 * and expiry.
 */
export function serveChannel<const C extends ChannelDefinition>(
  app: FastifyInstance,
  deps: Deps,
  channel: C,
  feature: ChannelFeature<C>,
): void {
  deps.registered.channels.push(channel);
  // The only type assertion. The query and first message have already passed the channel's schemas.
  const open = (opening: Opening): View | Promise<View> => feature.open(opening as LiveOpening<C>);
  app.route({
    method: 'GET',
    url: channel.path,
    websocket: true,
    exposeHeadRoute: false,
    async preHandler(request) {
      if (deps.socketFaults.takeRefusal(channel.path)) {
        deps.journal.record({ kind: 'fault', path: channel.path, what: 'refuse' });
        throw new Refusal('FAILED', { status: 503 });
      }
      const opening = await openingOf(deps, channel, request);
      const view = channel.access === 'device' ? undefined : await open(opening);
      const abandon = () => view?.onClose?.();
      request.opened = { opening, view, abandon };
      // The handshake can fail, or the client can disconnect before the upgrade. Close the view in both cases.
      if (request.socket.destroyed) abandon();
      else request.socket.once('close', abandon);
    },
    handler(socket, request) {
      const { opened } = request;
      if (!opened) throw new Error(`A socket of ${channel.path} was accepted before it was opened.`);
      request.socket.off('close', opened.abandon);
      const connection = new Connection(deps, { definition: channel, open }, socket, opened.opening, opened.view);
      socket.on('close', app.connections.add(connection));
      request.opened = null;
    },
  });
}

/**
 * Checks access, parses the query, and returns the opening data.
 * @throws Refusal UNAUTHORIZED, FORBIDDEN, or whatever `readPart` throws
 */
async function openingOf(deps: Deps, { access, query }: ChannelDefinition, request: FastifyRequest): Promise<Opening> {
  const { ip } = request;
  if (access === 'lab') requireLab(deps.config, request, subprotocolToken(request));
  const caller = access === 'signed-in' ? await requireCaller(deps, subprotocolToken(request), ip) : undefined;
  if (caller) requireOwnOrganisation(caller, fieldsOf(request.query));
  return {
    query: readPart(query, request.query),
    caller,
    first: undefined,
    ip,
    userAgent: userAgentOf(request),
    language: languageOf({ headers: request.headers, caller: caller ?? null }),
  };
}

/** Returns the access token, which browsers can only send as a subprotocol (contract §3). */
export function subprotocolToken({ headers }: FastifyRequest): string | undefined {
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((protocol) => protocol.trim());
  return findBearerToken(offered);
}
