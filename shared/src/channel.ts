import type { z } from 'zod';

export interface ChannelDefinition {
  /** Full path, e.g. `/ws/login`. */
  path: `/ws/${string}`;
  summary: string;
  /**
   * `public`: an ID in the query acts as the secret. `signed-in`: bearer token as a subprotocol. `device`:
   * authenticated by the first message. `lab`: as for lab calls, with the lab token as the bearer token if one is
   * required.
   */
  access: 'public' | 'signed-in' | 'device' | 'lab';
  query: z.ZodObject;
  /** Messages to the client. Each message contains the complete current state. */
  server: z.ZodType;
  /** Messages from the client, if the channel accepts any. */
  client?: z.ZodType;
}

/** Declares a live channel: the socket route, the typed client hook and the documentation in a single value. */
export function channel<const C extends ChannelDefinition>(definition: C): C {
  return definition;
}

export type QueryOf<C extends ChannelDefinition> = z.input<C['query']>;
export type ServerMessage<C extends ChannelDefinition> = z.output<C['server']>;
export type ClientMessage<C extends ChannelDefinition> = C extends { client: infer S extends z.ZodType }
  ? z.output<S>
  : never;

/** Subprotocol that the server selects. Clients send a token alongside it, in the format of `asSubprotocol`. */
export const LIVE_PROTOCOL = 'orchestrate';

const BEARER = 'bearer.';

/** Formats a token as a subprotocol. Characters not allowed by RFC 9110 §5.6.2 are percent-encoded. */
export const asSubprotocol = (token: string): string =>
  BEARER + encodeURIComponent(token).replaceAll(/[()]/g, (bracket) => `%${bracket.charCodeAt(0).toString(16)}`);

/** Formats a page's language as a subprotocol, because scripts can't set a socket's `Accept-Language` header. */
export const languageAsSubprotocol = (language: string): string => `language.${language}`;

/** Returns the token among the subprotocols offered by a client, if any. */
export function findBearerToken(offered: readonly string[]): string | undefined {
  const written = offered.find((protocol) => protocol.startsWith(BEARER))?.slice(BEARER.length);
  if (written === undefined) return undefined;
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}
