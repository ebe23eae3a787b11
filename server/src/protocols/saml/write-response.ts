import { ASSERTION_NAMESPACE, escapeXml, SAML2_PROTOCOL } from '#core/saml-metadata/xml.ts';
import type { ExternalTime } from '#platform/times.ts';
import { type SamlStatus, STATUS } from './saml-problem.ts';
import type { SamlSubject } from './saml-subject.ts';

/** The contents of a response to be signed. Times are in milliseconds since the epoch. */
export interface ResponseFacts {
  /** ID of the response (see `samlId`). */
  id: string;
  now: ExternalTime;
  issuer: string;
  /** Assertion consumer service or single logout service URL. */
  destination: string;
  /** ID of the request, or '' for an unsolicited response. */
  inResponseTo: string;
}

export interface AssertionFacts extends ResponseFacts {
  assertionId: string;
  /** URL of the service for which the assertion is meant. */
  recipient: string;
  /** Entity ID of the service provider. */
  audience: string;
  subject: SamlSubject;
  authenticatedAt: ExternalTime;
  sessionIndex: string;
  contextClass: string;
}

/** Tolerance for clock skew at service providers, in milliseconds. */
const BACKDATED_MS = 60_000;
const LIFETIME_MS = 5 * 60_000;

const iso = (time: number): string => new Date(time).toISOString();
/** Escapes text and removes characters that XML can't represent (XML 1.0 §2.2). */
const xml = (text: string): string =>
  escapeXml(text.replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, ''));
const attribute = (name: string, value: string): string => (value === '' ? '' : ` ${name}="${xml(value)}"`);

/** Writes a response without an assertion, for a request rejected by the user or the portal. */
export const writeStatusResponse = (facts: ResponseFacts, status: SamlStatus): string =>
  `${open('Response', facts)}${statusOf(status)}</samlp:Response>`;

export const writeLogoutResponse = (facts: ResponseFacts, status: SamlStatus): string =>
  `${open('LogoutResponse', facts)}${statusOf(status)}</samlp:LogoutResponse>`;

/**
 * Writes our logout request (core §3.7.1).
 * @param now issue time; `NotOnOrAfter` is five minutes later
 */
export function writeLogoutRequest(
  facts: Omit<ResponseFacts, 'inResponseTo'>,
  { nameId, nameIdFormat, sessionIndex }: { nameId: string; nameIdFormat: string; sessionIndex: string },
): string {
  const until = ` NotOnOrAfter="${iso(facts.now + LIFETIME_MS)}" Reason="urn:oasis:names:tc:SAML:2.0:logout:user"`;
  return [
    open('LogoutRequest', { ...facts, inResponseTo: '' }, until),
    `<saml:NameID Format="${xml(nameIdFormat)}">${xml(nameId)}</saml:NameID>`,
    `<samlp:SessionIndex>${xml(sessionIndex)}</samlp:SessionIndex></samlp:LogoutRequest>`,
  ].join('');
}

/** Writes a response with one assertion, in schema order (SAML 2.0 core §3.3.3, §2.3.3). */
export function writeAssertionResponse(facts: AssertionFacts): string {
  const { assertionId, now, issuer, recipient, inResponseTo, audience, subject, sessionIndex } = facts;
  const until = iso(now + LIFETIME_MS);
  return [
    open('Response', facts),
    statusOf({ code: STATUS.success }),
    `<saml:Assertion ID="${assertionId}" Version="2.0" IssueInstant="${iso(now)}"><saml:Issuer>${xml(issuer)}</saml:Issuer>`,
    `<saml:Subject><saml:NameID Format="${xml(subject.nameIdFormat)}">${xml(subject.nameId)}</saml:NameID>`,
    '<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">',
    `<saml:SubjectConfirmationData NotOnOrAfter="${until}" Recipient="${xml(recipient)}"${attribute('InResponseTo', inResponseTo)}/>`,
    '</saml:SubjectConfirmation></saml:Subject>',
    `<saml:Conditions NotBefore="${iso(now - BACKDATED_MS)}" NotOnOrAfter="${until}">`,
    `<saml:AudienceRestriction><saml:Audience>${xml(audience)}</saml:Audience></saml:AudienceRestriction></saml:Conditions>`,
    `<saml:AuthnStatement AuthnInstant="${iso(facts.authenticatedAt)}" SessionIndex="${sessionIndex}">`,
    `<saml:AuthnContext><saml:AuthnContextClassRef>${xml(facts.contextClass)}</saml:AuthnContextClassRef></saml:AuthnContext>`,
    '</saml:AuthnStatement>',
    attributeStatement(subject.attributes),
    '</saml:Assertion></samlp:Response>',
  ].join('');
}

function open(name: string, { id, now, issuer, destination, inResponseTo }: ResponseFacts, more = ''): string {
  return [
    `<samlp:${name} xmlns:samlp="${SAML2_PROTOCOL}" xmlns:saml="${ASSERTION_NAMESPACE}" ID="${id}" Version="2.0"`,
    ` IssueInstant="${iso(now)}" Destination="${xml(destination)}"${attribute('InResponseTo', inResponseTo)}${more}>`,
    `<saml:Issuer>${xml(issuer)}</saml:Issuer>`,
  ].join('');
}

function statusOf({ code, detail, message }: SamlStatus): string {
  const inner = detail ? `<samlp:StatusCode Value="${detail}"/>` : '';
  const reason = message ? `<samlp:StatusMessage>${xml(message)}</samlp:StatusMessage>` : '';
  return `<samlp:Status><samlp:StatusCode Value="${code}">${inner}</samlp:StatusCode>${reason}</samlp:Status>`;
}

const attributeValue = (value: string): string =>
  `<saml:AttributeValue xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="xs:string">${xml(value)}</saml:AttributeValue>`;

function attributeStatement(attributes: SamlSubject['attributes']): string {
  if (attributes.length === 0) return '';
  const written = attributes.map(
    ({ name, format, values }) =>
      `<saml:Attribute Name="${xml(name)}" NameFormat="${xml(format)}">${values.map(attributeValue).join('')}</saml:Attribute>`,
  );
  return `<saml:AttributeStatement>${written.join('')}</saml:AttributeStatement>`;
}
