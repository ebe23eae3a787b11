import { deviceSignatureRepo } from '@orchestrate/db';
import { MINUTE } from '@orchestrate/shared';
import { ENTITY_NAME_ID } from '#core/saml-metadata/names.ts';
import type { Deps } from '#deps.ts';
import type { SamlApplication } from './find-saml-application.ts';
import { parseMessage, type SamlMessage } from './parse-message.ts';
import type { ReceivedMessage } from './receive-message.ts';
import { SamlProblem } from './saml-problem.ts';
import { isSigned, isSignedBy, isSignedWeakly } from './verify-signature.ts';

/** Maximum age of a request, including the difference between the clocks: a redirect delivers it immediately. */
const AGE_MAX = 5 * MINUTE;

/** A request's id: an NCName of XML Schema, limited to common characters. */
const ID = /^[A-Za-z_][\w.-]{0,199}$/;

export interface Expected {
  kind: SamlMessage['kind'];
  /** Our URL that received it. */
  address: string;
  mustBeSigned: boolean;
}

/**
 * Checks that a request is well-formed, from the expected provider, and not a replay.
 * @throws SamlProblem
 */
export async function acceptMessage(
  deps: Deps,
  { application, peer }: SamlApplication,
  received: ReceivedMessage,
  { kind, address, mustBeSigned }: Expected,
): Promise<SamlMessage> {
  const message = await parseMessage(received.xml);
  const { attributes, issuer, issuerFormat } = message;
  // The request has the provider's time, which follows the external time.
  const now = deps.clock.toExternalTime();
  if (message.kind !== kind || attributes.get('Version') !== '2.0')
    throw refused('it is not the expected kind of SAML 2.0 request');
  // Profiles §4.1.4.1 and §4.4.4: with another format, the issuer isn't an entity id.
  if (issuerFormat !== '' && issuerFormat !== ENTITY_NAME_ID) throw refused('its Issuer must have the entity format');
  if (issuer !== peer.entityId) throw refused('it comes from another application');
  const signed = isSigned(received, message);
  if (mustBeSigned && !signed) throw refused('it is not signed');
  if (isSignedWeakly(received, message))
    throw refused('its signature algorithm is insecure or unknown: use RSA or ECDSA with SHA-256');
  if (signed && !(await isSignedBy(peer, received, message))) throw refused('its signature is invalid');
  // Otherwise the recipient of a signed message could forward it here (bindings §3.4.5.2, §3.5.5.2).
  const destination = attributes.get('Destination');
  if (destination === undefined ? signed : destination !== address) throw refused('its Destination is another URL');
  const issuedAt = instantOf(attributes.get('IssueInstant'));
  const until = attributes.has('NotOnOrAfter') ? instantOf(attributes.get('NotOnOrAfter')) : Number.POSITIVE_INFINITY;
  const isPresent = Math.abs(now - issuedAt) <= AGE_MAX && now < until;
  if (!isPresent) throw refused('it has expired');
  requireFirst(deps, application, attributes.get('ID') ?? '', issuedAt + AGE_MAX);
  return message;
}

/** Returns NaN, which no comparison accepts, for anything but a UTC time. */
function instantOf(text: string | undefined): number {
  return text?.endsWith('Z') ? Date.parse(text) : Number.NaN;
}

/**
 * Refuses a replayed id. After `expiresAt`, in external time, the message's age alone is enough to refuse it, however
 * the lab moves the clock. Shares the store of the devices' signatures (decision 084).
 */
function requireFirst(
  { db, clock }: Deps,
  { orgCode, appId }: SamlApplication['application'],
  id: string,
  expiresAt: number,
): void {
  if (!ID.test(id)) throw refused('it has no usable ID');
  const request = { thumbprint: `saml ${orgCode}/${appId}`, jti: id, expiresAt };
  if (!deviceSignatureRepo.rememberSignature(db, request, clock.pastOnBoth())) throw refused('it has been used before');
}

const refused = (why: string) =>
  new SamlProblem(`The application's request was refused: ${why}. Go back to the application and start again.`);
