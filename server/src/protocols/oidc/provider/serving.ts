import type { IncomingMessage } from 'node:http';
import type { Provider } from 'oidc-provider';

/** An organisation's OpenID provider and its request handler. */
export interface OidcServing {
  provider: Provider;
  /** Handles a request whose body hasn't been read yet. */
  serve: ReturnType<Provider['callback']>;
  /** Issuer URL. All URLs in responses use its host and protocol. */
  issuer: URL;
  /** Counts a request from `network` if its client fails to authenticate. Call it before `serve`. */
  limitAttempts(request: IncomingMessage, network: string): void;
}

/** A portal's OpenID providers, one per organisation. */
export interface OidcProviders {
  /** Returns an organisation's provider, or undefined if the organisation doesn't exist. */
  providerOf(orgCode: string): Promise<OidcServing | undefined>;
}
