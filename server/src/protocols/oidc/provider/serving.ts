import type { IncomingMessage } from 'node:http';
import type { Provider } from 'oidc-provider';

/** An organisation's OpenID provider and how to call it. */
export interface OidcServing {
  provider: Provider;
  /** Answers a request of which nothing has been read yet. */
  serve: ReturnType<Provider['callback']>;
  /** Its host and protocol are those of all URLs in answers. */
  issuer: URL;
  /** Counts a request, from `network`, if its client fails to authenticate. Call it before `serve`. */
  limitAttempts(request: IncomingMessage, network: string): void;
}

/** The OpenID providers of a portal. */
export interface OidcProviders {
  /** Returns the provider of an organisation, or undefined if there is no such organisation. */
  providerOf(orgCode: string): Promise<OidcServing | undefined>;
}
