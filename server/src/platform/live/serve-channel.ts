import type { ChannelDefinition, ClientMessage, ServerMessage } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import type { Deps } from '../../deps.ts';
import type { Caller } from '../http/caller.ts';
import type { Opening, View } from './connection.ts';

/** A message without its timestamp, which is added when it is sent. */
type Untimed<Message> = Message extends unknown ? Omit<Message, 'timestamp'> : never;

/** What a channel shows now. */
export interface LiveState<C extends ChannelDefinition> {
  message: Untimed<ServerMessage<C>>;
  /** When this state ends by itself, in milliseconds since the epoch: it is then requested again. */
  expiresAt?: number;
}

/** One open socket, as its feature sees it. */
export interface LiveView<C extends ChannelDefinition> {
  /** Topics of the bus; when one changes, the state is requested again. */
  topics: readonly string[];
  /**
   * The whole present state; sent when anything but its timestamp differs from what was sent last.
   * @throws Refusal where there is nothing to show any more: closes the socket.
   */
  state: () => LiveState<C>;
  /**
   * Handles a message that fits the schema. The state is sent after it in any case. Without this, the channel accepts
   * no messages.
   * @throws Refusal closes the socket.
   */
  onMessage?: (message: ClientMessage<C>) => void | Promise<void>;
  onClose?: () => void;
}

/** What is known when a socket opens. */
export interface LiveOpening<C extends ChannelDefinition> {
  query: z.output<C['query']>;
  /** Present if the channel requires a signed-in caller. */
  caller: C['access'] extends 'signed-in' ? Caller : undefined;
  /** The first message, which proves the device, if the channel requires one. */
  first: C['access'] extends 'device' ? ClientMessage<C> : undefined;
  ip: string;
  userAgent: string;
}

export interface ChannelFeature<C extends ChannelDefinition> {
  /**
   * Called once per socket: before the upgrade, so that a refusal is an HTTP answer; for a device's channel, with its
   * first message.
   * @throws Refusal
   */
  open: (opening: LiveOpening<C>) => LiveView<C> | Promise<LiveView<C>>;
}

/** Serves a channel of the contract: the socket route, its access, and the whole state on every change and expiry. */
export function serveChannel<const C extends ChannelDefinition>(
  app: FastifyInstance,
  deps: Deps,
  channel: C,
  feature: ChannelFeature<C>,
): void {
  deps.registered.channels.push(channel);
  app.live.add({
    definition: channel,
    // The one place where the channel's types meet the wire: query and first message have passed its schemas.
    open: (opening: Opening): View | Promise<View> => feature.open(opening as LiveOpening<C>),
  });
}
