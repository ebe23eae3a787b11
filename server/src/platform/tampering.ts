import type { AssertionDamage, FaultAnswer, TokenDamage } from '@orchestrate/shared';

/** A token or assertion that is about to be issued. */
export interface IssuedToken {
  /** Method of the request that issues the token. */
  method: string;
  path: string;
  /** Additional paths whose faults also apply to this token. */
  alsoBy?: readonly string[];
  orgCode: string;
  /** The member whom the token identifies. */
  suid: string;
}

/** Returns how the lab tampers with an issued token or assertion. Resolves once the token or assertion can be sent. */
export type TamperingSource = (
  kind: 'token' | 'assertion',
  handedOut: IssuedToken,
) => Promise<Pick<FaultAnswer, 'token' | 'assertion'> | undefined>;

/** How the lab's faults tamper with issued tokens and assertions. */
export interface Tampering {
  ofToken(handedOut: IssuedToken): Promise<TokenDamage | undefined>;
  ofAssertion(handedOut: IssuedToken): Promise<AssertionDamage | undefined>;
  /** Sets the source of tampering, replacing the current source. */
  follow(source: TamperingSource): void;
}

export function createTampering(): Tampering {
  let source: TamperingSource = async () => undefined;
  return {
    ofToken: async (handedOut) => (await source('token', handedOut))?.token,
    ofAssertion: async (handedOut) => (await source('assertion', handedOut))?.assertion,
    follow(given) {
      source = given;
    },
  };
}
