import { deviceSignatureRepo } from '@orchestrate/db';
import { MINUTE } from '@orchestrate/shared';
import { ENTITY_NAME_ID } from '#core/saml-metadata/xml.ts';
import type { Deps } from '#deps.ts';
import type { SamlApplication } from './find-saml-application.ts';
import { parseMessage, type SamlMessage } from './parse-message.ts';
import type { ReceivedMessage } from './receive-message.ts';
import { SamlProblem } from './saml-problem.ts';
import { hasWeakSignature, isSigned, isSignedBy } from './verify-signature.ts';

/** Maximum age of a request, including clock skew, in milliseconds. A redirect delivers requests immediately. */
const AGE_MAX = 5 * MINUTE;

/** Pattern for request IDs: NCNames of XML Schema, limited to common characters. */
const ID = /^[A-Za-z_][\w.-]{0,199}$/;

export interface ExpectedMessage {
  kind: SamlMessage['kind'];
  /** Our URL that received the message. */
  address: string;
  mustBeSigned: boolean;
}

/**
 * Checks that a message is well-formed, comes from the expected provider and is not a replay.
 * @throws SamlProblem
 */
export async function acceptMessage(
  deps: Deps,
  { application, peer }: SamlApplication,
  received: ReceivedMessage,
  { kind, address, mustBeSigned }: ExpectedMessage,
): Promise<SamlMessage> {
  const message = await parseMessage(received.xml);
  const { attributes, issuer, issuerFormat } = message;
  // The message uses the provider's time, which matches the external time.
  const now = deps.clock.toExternalTime();
  if (message.kind !== kind || attributes.get('Version') !== '2.0')
    throw refused('it is not the expected kind of SAML 2.0 request');
  // With another format, the issuer isn't an entity ID (profiles §4.1.4.1 and §4.4.4).
  if (issuerFormat !== '' && issuerFormat !== ENTITY_NAME_ID) throw refused('its Issuer must have the entity format');
  if (issuer !== peer.entityId) throw refused('it comes from another application');
  const signed = isSigned(received, message);
  if (mustBeSigned && !signed) throw refused('it is not signed');
  if (hasWeakSignature(received, message))
    throw refused('its signature algorithm is insecure or unknown: use RSA or ECDSA with SHA-256');
  if (signed && !(await isSignedBy(peer, received, message))) throw refused('its signature is invalid');
  // Without this check, the recipient of a signed message could forward it to us (bindings §3.4.5.2, §3.5.5.2).
  const destination = attributes.get('Destination');
  if (destination === undefined ? signed : destination !== address) throw refused('its Destination is another URL');
  const issuedAt = instantOf(attributes.get('IssueInstant'));
  const until = attributes.has('NotOnOrAfter') ? instantOf(attributes.get('NotOnOrAfter')) : Number.POSITIVE_INFINITY;
  const isPresent = Math.abs(now - issuedAt) <= AGE_MAX && now < until;
  if (!isPresent) throw refused('it has expired');
  requireFirst(deps, application, attributes.get('ID') ?? '', issuedAt + AGE_MAX);
  return message;
}

/** Parses a UTC time. Returns NaN, which fails every comparison, for anything else. */
function instantOf(text: string | undefined): number {
  return text?.endsWith('Z') ? Date.parse(text) : Number.NaN;
}

/**
 * Rejects a replayed message ID. IDs are stored until `expiresAt`, in external time. After that, the message is
 * rejected because of its age, however the lab moves the clock. Shares storage with the device signatures (decision
 * 084).
 */
function requireFirst(
  { db }: Deps,
  { orgCode, appId }: SamlApplication['application'],
  id: string,
  expiresAt: number,
): void {
  if (!ID.test(id)) throw refused('it has no usable ID');
  const request = { thumbprint: `saml ${orgCode}/${appId}`, jti: id, expiresAt };
  if (!deviceSignatureRepo.rememberSignature(db, request)) throw refused('it has been used before');
}

const refused = (why: string) =>
  new SamlProblem(`The application's request was rejected: ${why}. Go back to the application and start again.`);
