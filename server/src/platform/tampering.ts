import type { AssertionDamage, FaultAnswer, TokenDamage } from '@orchestrate/shared';

/** A token or assertion that is about to be handed out. */
export interface IssuedToken {
  /** The method and address that was called. */
  method: string;
  path: string;
  /** Other addresses under which it may have been asked for. */
  alsoBy?: readonly string[];
  orgCode: string;
  /** The person whom it is about. */
  suid: string;
}

/** What the lab does to something that is handed out. Resolves when it may be sent. */
export type DamageSource = (
  kind: 'token' | 'assertion',
  handedOut: IssuedToken,
) => Promise<Pick<FaultAnswer, 'token' | 'assertion'> | undefined>;

/** What the lab damages of what the protocols hand out: nothing, unless a test asks for it. */
export interface Tampering {
  ofToken(handedOut: IssuedToken): Promise<TokenDamage | undefined>;
  ofAssertion(handedOut: IssuedToken): Promise<AssertionDamage | undefined>;
  /** Uses this source from now on. */
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
