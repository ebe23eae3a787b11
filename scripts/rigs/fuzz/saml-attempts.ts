import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import type { Attempt } from './attempt.ts';
import { FORM_TYPE, unusualText } from './odd-fields.ts';

const ENTITIES = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>';

const samlXml = fc
  .record({
    name: fc.constantFrom('AuthnRequest', 'LogoutRequest', 'LogoutResponse', 'Response'),
    doctype: fc.constantFrom('', '', '', ENTITIES),
    id: unusualText,
    issuer: unusualText,
    extra: fc.oneof(
      fc.constant(''),
      unusualText,
      fc.integer({ min: 1, max: 20_000 }).map((depth) => '<a>'.repeat(depth) + '</a>'.repeat(depth)),
      fc.constant('&b;'),
    ),
  })
  .map(({ name, doctype, id, issuer, extra }) => {
    const attribute = id.replace(/[<&"\p{Cc}]/gu, '');
    return `${doctype}<samlp:${name} xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${attribute}" Version="2.0" IssueInstant="2026-03-02T09:30:00Z"><saml:Issuer>${issuer.replace(/[<&]/g, '')}</saml:Issuer>${extra}</samlp:${name}>`;
  });

const samlMessage = fc.oneof(
  { weight: 4, arbitrary: samlXml.map((xml) => ({ inflated: Buffer.from(xml), isGarbage: false })) },
  {
    weight: 1,
    arbitrary: fc.uint8Array({ maxLength: 400 }).map((bytes) => ({ inflated: Buffer.from(bytes), isGarbage: true })),
  },
  // A decompression bomb.
  { weight: 1, arbitrary: fc.constant({ inflated: Buffer.alloc(3_000_000, ' '), isGarbage: false }) },
);

/** SAML messages with invalid XML, compression or encoding. */
export const samlAttempt: fc.Arbitrary<Attempt> = fc
  .record({
    app: fc.constantFrom('travel-desk', 'travel-desk', 'team-wiki', 'nobody', '%00'),
    at: fc.constantFrom('sso', 'slo', 'metadata', 'try'),
    name: fc.constantFrom('SAMLRequest', 'SAMLResponse'),
    message: samlMessage,
    isPost: fc.boolean(),
    relayState: unusualText,
  })
  .map(({ app, at, name, message: { inflated, isGarbage }, isPost, relayState }) => {
    const bytes = isPost || isGarbage ? inflated : deflateRawSync(inflated);
    const form = new URLSearchParams({ [name]: bytes.toString('base64'), RelayState: relayState.toWellFormed() });
    const path = `/saml/acme/${app}/${at}`;
    return {
      kind: 'http',
      what: `SAML ${path}`,
      method: isPost ? 'POST' : 'GET',
      path: isPost ? path : `${path}?${String(form).slice(0, 12_000)}`,
      type: isPost ? FORM_TYPE : '',
      body: isPost ? String(form) : null,
      sender: 'anonymous',
    };
  });
