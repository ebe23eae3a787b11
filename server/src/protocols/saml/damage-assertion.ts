import { type AssertionDamage, DAY } from '@orchestrate/shared';
import type { AssertionFacts } from './write-response.ts';

/** Names that nobody has. */
const OTHER_PROVIDER = 'urn:example:another-service-provider';
const OTHER_ADDRESS = 'https://another-service-provider.example/acs';
const OTHER_REQUEST = '_a-request-that-nobody-sent';

/** What an assertion says when the lab damages it. */
export function damagedFacts(facts: AssertionFacts, damage: AssertionDamage | undefined): AssertionFacts {
  switch (damage) {
    case 'expired':
      return { ...facts, now: facts.now - DAY, authenticatedAt: facts.authenticatedAt - DAY };
    case 'wrong-audience':
      return { ...facts, audience: OTHER_PROVIDER };
    case 'wrong-recipient':
      return { ...facts, recipient: OTHER_ADDRESS };
    case 'wrong-in-response-to':
      return { ...facts, inResponseTo: OTHER_REQUEST };
    default:
      return facts;
  }
}

const SIGNATURE = /(<ds:SignatureValue>)([^<]*)/g;

/** A signed answer, of which no signature holds if that is the damage. */
export const damagedSignatures = (signed: string, damage: AssertionDamage | undefined): string =>
  damage === 'bad-signature'
    ? signed.replace(SIGNATURE, (_, tag: string, value: string) => tag + otherThan(value))
    : signed;

/** Another value of the same length. */
function otherThan(base64: string): string {
  const bytes = Buffer.from(base64, 'base64');
  bytes.writeUInt8(bytes.readUInt8(0) ^ 1, 0);
  return bytes.toString('base64');
}
