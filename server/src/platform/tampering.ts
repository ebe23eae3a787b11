import type { AssertionDamage, FaultAnswer, TokenDamage } from '@orchestrate/shared';

/** A token or assertion that is about to be issued. */
export interface IssuedToken {
  /** Method and path of the call. */
  method: string;
  path: string;
  /** Other paths that match the same fault. */
  alsoBy?: readonly string[];
  orgCode: string;
  /** The member it is about. */
  suid: string;
}

/** Returns how the lab tampers with an issued token or assertion. Resolves when it can be sent. */
export type DamageSource = (
  kind: 'token' | 'assertion',
  handedOut: IssuedToken,
) => Promise<Pick<FaultAnswer, 'token' | 'assertion'> | undefined>;

/** Tampering with issued tokens and assertions by faults of the lab. */
export interface Tampering {
  ofToken(handedOut: IssuedToken): Promise<TokenDamage | undefined>;
  ofAssertion(handedOut: IssuedToken): Promise<AssertionDamage | undefined>;
  /** Sets the source. */
  follow(source: DamageSource): void;
}

export function createTampering(): Tampering {
  let source: DamageSource = async () => undefined;
  return {
    ofToken: async (handedOut) => (await source('token', handedOut))?.token,
    ofAssertion: async (handedOut) => (await source('assertion', handedOut))?.assertion,
    follow(given) {
      source = given;
    },
  };
}
