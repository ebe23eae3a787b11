import type { z } from 'zod';

export interface ChannelDefinition {
  /** The whole path, e.g. `/ws/login`. */
  path: `/ws/${string}`;
  summary: string;
  /**
   * `public`: an id in the query is the secret. `signed-in`: bearer as subprotocol. `device`: proven by its first
   * message. `lab`: as for the lab's calls, with its token as the bearer where one is wanted.
   */
  access: 'public' | 'signed-in' | 'device' | 'lab';
  query: z.ZodObject;
  /** Messages to the client; each carries the complete current state. */
  server: z.ZodType;
  /** Messages from the client, if it may send any. */
  client?: z.ZodType;
}

/** Declares one live channel: the socket route, the typed client hook and the documentation in one value. */
export function channel<const C extends ChannelDefinition>(definition: C): C {
  return definition;
}

export type QueryOf<C extends ChannelDefinition> = z.input<C['query']>;
export type ServerMessage<C extends ChannelDefinition> = z.output<C['server']>;
export type ClientMessage<C extends ChannelDefinition> = C extends { client: infer S extends z.ZodType }
  ? z.output<S>
  : never;

/** The subprotocol that the server answers with; a token is sent beside it as `bearer.<token>`. */
export const LIVE_PROTOCOL = 'orchestrate';
