import type { IncomingMessage } from 'node:http';
import type { apiResourceRepo, oidcApplicationRepo } from '@orchestrate/db';
import type { TokenFlaw } from '@orchestrate/shared';
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
  /** Issues tokens of a client without a sign-in. */
  issueTokens(request: LabTokenRequest): Promise<LabTokens>;
}

/** Describes tokens that the lab issues without a sign-in. */
export interface LabTokenRequest {
  application: oidcApplicationRepo.OidcApplicationRow;
  /** The user, and the device whose removal ends the tokens. Undefined for a service client. */
  user: { suid: string; zid: string | undefined } | undefined;
  scopes: readonly string[];
  /** API that the access token is for. */
  api: apiResourceRepo.ApiResourceRow | undefined;
  claims: Readonly<Record<string, unknown>>;
  /** Issuer of the JWTs; undefined for the organisation. */
  issuer: string | undefined;
  /** Lifetime of the access token and ID token, in seconds; undefined for the application's settings. */
  expiresIn: number | undefined;
  flaw: TokenFlaw | undefined;
}

export interface LabTokens {
  accessToken: string;
  idToken: string | undefined;
  refreshToken: string | undefined;
  /** Names of the JWTs' claims before the flaw was added. */
  claimNames: string[];
}

/** A portal's OpenID providers, one per organisation. */
export interface OidcProviders {
  /** Returns an organisation's provider, or undefined if the organisation doesn't exist. */
  providerOf(orgCode: string): Promise<OidcServing | undefined>;
}
