import type { z } from 'zod';

export interface ChannelDefinition {
  /** The whole path, e.g. `/ws/login`. */
  path: `/ws/${string}`;
  summary: string;
  /**
   * `public`: an id in the query is the secret. `signed-in`: bearer as subprotocol. `device`: authenticated by its
   * first message. `lab`: as for the lab's calls, with its token as the bearer if one is required.
   */
  access: 'public' | 'signed-in' | 'device' | 'lab';
  query: z.ZodObject;
  /** Messages to the client; each contains the complete current state. */
  server: z.ZodType;
  /** Messages from the client, if the channel allows them. */
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

/** The subprotocol that the server answers with; a token is sent alongside, in the format of `asSubprotocol`. */
export const LIVE_PROTOCOL = 'orchestrate';

const BEARER = 'bearer.';

/**
 * Formats a token as a subprotocol, which can contain only the characters of RFC 9110 §5.6.2: others are
 * percent-encoded.
 */
export const asSubprotocol = (token: string): string =>
  BEARER + encodeURIComponent(token).replaceAll(/[()]/g, (bracket) => `%${bracket.charCodeAt(0).toString(16)}`);

/** The language of a page as a subprotocol: scripts can't set the `Accept-Language` of a socket. */
export const languageAsSubprotocol = (language: string): string => `language.${language}`;

/** Returns the token among the subprotocols that a client offers, if any. */
export function findBearerToken(offered: readonly string[]): string | undefined {
  const written = offered.find((protocol) => protocol.startsWith(BEARER))?.slice(BEARER.length);
  if (written === undefined) return undefined;
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}
