import type { AssertionDamage, FaultAnswer, TokenFlaw } from '@orchestrate/shared';

/** A token or assertion that is about to be issued. */
export interface IssuedToken {
  /** Method of the request that issues the token. */
  method: string;
  path: string;
  /** Additional paths whose faults also apply to this token. */
  alsoBy?: readonly string[];
  orgCode: string;
  /** The member whom the token identifies; empty if the token identifies a service client. */
  suid: string;
  /** Names of the claims in an ID token. */
  claimNames?: readonly string[];
  /** Client ID of the application, and the body of its request. */
  client?: string | undefined;
  body?: unknown;
}

/** Targets of tampering: an ID token, its claims, the fields of a token response, or an assertion. */
type Tampered = 'token' | 'claims' | 'fields' | 'assertion';

/** Returns how the lab tampers with an issued token or assertion. Resolves once the token or assertion can be sent. */
export type TamperingSource = (
  kind: Tampered,
  handedOut: IssuedToken,
) => Promise<Pick<FaultAnswer, Tampered> | undefined>;

/** How the lab's faults tamper with issued tokens and assertions. */
export interface Tampering {
  ofToken(handedOut: IssuedToken): Promise<TokenFlaw | undefined>;
  /** Returns the claims to add to an ID token. */
  ofClaims(handedOut: IssuedToken): Promise<FaultAnswer['claims']>;
  /** Returns the fields to add to a token response. */
  ofResponse(handedOut: IssuedToken): Promise<FaultAnswer['fields']>;
  ofAssertion(handedOut: IssuedToken): Promise<AssertionDamage | undefined>;
  /** Sets the source of tampering, replacing the current source. */
  follow(source: TamperingSource): void;
}

export function createTampering(): Tampering {
  let source: TamperingSource = async () => undefined;
  return {
    ofToken: async (handedOut) => (await source('token', handedOut))?.token,
    ofClaims: async (handedOut) => (await source('claims', handedOut))?.claims,
    ofResponse: async (handedOut) => (await source('fields', handedOut))?.fields,
    ofAssertion: async (handedOut) => (await source('assertion', handedOut))?.assertion,
    follow(given) {
      source = given;
    },
  };
}
