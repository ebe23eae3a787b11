import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SignedXml } from 'xml-crypto';
import { createIdpKey } from '#core/saml-metadata/idp-keys.ts';
import { type Keys, type Scene, SP, setScene } from './service-provider-testing.ts';

/**
 * Tests signature wrapping (Somorovsky et al., "On Breaking SAML", XSW1 to XSW8) and related attacks, on both kinds
 * of requests that service providers sign. The attacks combine a valid signature with other, unsigned content.
 */
let scene: Scene;
let attacker: Keys;
beforeAll(async () => {
  scene = await setScene(Date.now(), { isSigning: true });
  attacker = await createIdpKey(scene.portal.deps, 'attacker');
});
afterAll(() => scene.portal.close());

const KINDS = ['AuthnRequest', 'LogoutRequest'] as const;
type Kind = (typeof KINDS)[number];

const EXC_C14N = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';
const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256';

const nextId = () => `_${crypto.randomUUID()}`;

interface Parts {
  id?: string;
  nameId?: string;
  inside?: string;
  after?: string;
  before?: string;
}

/**
 * Returns a message with the attacker's request: another user's logout, or a sign-in at another of the provider's ACS
 * URLs.
 */
function message(
  kind: Kind,
  { id = nextId(), nameId = 'user@acme.test', inside = '', after = '', before = '' }: Parts,
) {
  const address = `${scene.issuer}/${kind === 'AuthnRequest' ? 'sso' : 'slo'}`;
  const instant = new Date().toISOString();
  const subject = kind === 'LogoutRequest' ? `<saml:NameID>${nameId}</saml:NameID>` : '';
  return `${before}<samlp:${kind} xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="2.0" IssueInstant="${instant}" Destination="${address}"><saml:Issuer>${SP}/metadata</saml:Issuer>${inside}${subject}${after}</samlp:${kind}>`;
}

interface Signing {
  key?: string;
  algorithm?: string;
  digest?: string;
  transforms?: string[];
  uri?: 'empty';
  xpath?: string;
  hmac?: boolean;
}

function signed(xml: string, kind: Kind, signing: Signing = {}): string {
  const { key = scene.keys.privateKey, algorithm = RSA_SHA256, digest = SHA256 } = signing;
  const signature = new SignedXml({
    privateKey: key,
    signatureAlgorithm: algorithm,
    canonicalizationAlgorithm: EXC_C14N,
  });
  if (signing.hmac) signature.enableHMAC();
  signature.addReference({
    xpath: signing.xpath ?? `/*[local-name(.)='${kind}']`,
    transforms: signing.transforms ?? [ENVELOPED, EXC_C14N],
    digestAlgorithm: digest,
    ...(signing.uri === 'empty' && { uri: '', isEmptyUri: true }),
  });
  const location = { reference: `/*[local-name(.)='${kind}']/*[local-name(.)='Issuer']`, action: 'after' } as const;
  signature.computeSignature(xml, { prefix: 'ds', location });
  return signature.getSignedXml();
}

async function send(kind: Kind, xml: string) {
  const SAMLRequest = Buffer.from(xml).toString('base64');
  const { status, url, text } = await scene.browser.open(`${scene.issuer}/${kind === 'AuthnRequest' ? 'sso' : 'slo'}`, {
    SAMLRequest,
  });
  return { status, isAccepted: url.searchParams.has('app') || url.origin === SP, text };
}

const inExtensions = (xml: string) => `<samlp:Extensions>${xml}</samlp:Extensions>`;
const VICTIM = 'manager@acme.test';

/** A captured message and its components. */
interface Caught {
  kind: Kind;
  whole: string;
  signature: string;
  /** The message without its signature. */
  bare: string;
  id: string;
}

function caught(kind: Kind): Caught {
  const whole = signed(message(kind, {}), kind);
  const signature = /<ds:Signature .*<\/ds:Signature>/s.exec(whole)?.[0] ?? '';
  return { kind, whole, signature, bare: whole.replace(signature, ''), id: / ID="([^"]+)"/.exec(whole)?.[1] ?? '' };
}

const holding = (signature: string, xml: string) =>
  signature.replace('</ds:Signature>', `<ds:Object>${xml}</ds:Object></ds:Signature>`);

const WRAPPED: [string, (of: Caught) => string][] = [
  [
    'XSW1: the captured message inside its signature',
    ({ kind, signature, bare }) =>
      message(kind, { nameId: VICTIM, inside: signature.replace('</ds:Signature>', `${bare}</ds:Signature>`) }),
  ],
  [
    'XSW2: the captured message before its signature',
    ({ kind, signature, bare }) => message(kind, { nameId: VICTIM, inside: `${bare}${signature}` }),
  ],
  [
    'XSW3: the whole captured message as the first child',
    ({ kind, whole }) => message(kind, { nameId: VICTIM, inside: whole }),
  ],
  [
    'XSW4: the forged message inside the captured one',
    ({ kind, whole }) => whole.replace(`</samlp:${kind}>`, `${message(kind, { nameId: VICTIM })}</samlp:${kind}>`),
  ],
  [
    'XSW5: the captured message at the end, its signature at the start',
    ({ kind, signature, bare }) => message(kind, { nameId: VICTIM, inside: signature, after: bare }),
  ],
  [
    'XSW6: the captured message inside the signature, with its ID',
    ({ kind, signature, bare, id }) =>
      message(kind, { id, nameId: VICTIM, inside: signature.replace('</ds:Signature>', `${bare}</ds:Signature>`) }),
  ],
  [
    'XSW7: the captured message in extensions',
    ({ kind, signature, bare }) => message(kind, { nameId: VICTIM, inside: `${signature}${inExtensions(bare)}` }),
  ],
  [
    'XSW8: the captured message in an Object of the signature',
    ({ kind, signature, bare }) => message(kind, { nameId: VICTIM, inside: holding(signature, bare) }),
  ],
  [
    'the same ID twice, the captured message last',
    ({ kind, signature, bare, id }) =>
      message(kind, { id, nameId: VICTIM, inside: `${signature}${inExtensions(bare)}` }),
  ],
  [
    'the same ID twice, the captured message first',
    ({ kind, signature, bare, id }) =>
      message(kind, { id, nameId: VICTIM, inside: `${inExtensions(bare)}${signature}` }),
  ],
  [
    'the signature in extensions',
    ({ kind, signature, id }) => message(kind, { id, nameId: VICTIM, inside: inExtensions(signature) }),
  ],
  [
    'the whole captured message in extensions',
    ({ kind, whole }) => message(kind, { nameId: VICTIM, inside: inExtensions(whole) }),
  ],
  ['two roots', ({ kind, whole }) => `${message(kind, { nameId: VICTIM })}${whole}`],
  [
    'two signatures',
    ({ kind, whole, signature }) =>
      whole
        .replace(signature, `${signature}${signature}`)
        .replace('user@acme.test', kind === 'LogoutRequest' ? VICTIM : ''),
  ],
  [
    'a second ID attribute in another namespace',
    ({ kind, signature, bare, id }) =>
      message(kind, { nameId: VICTIM, inside: `${signature}${inExtensions(bare)}` }).replace(
        ' ID=',
        ` xml:id="${id}" ID=`,
      ),
  ],
  ['no references', ({ whole }) => whole.replace(/<ds:Reference .*<\/ds:Reference>/s, '')],
  ['a reference to an unknown ID', ({ whole }) => whole.replace(/URI="#[^"]*"/, 'URI="#_nothing"')],
  ['an empty signature value', ({ whole }) => whole.replace(/(<ds:SignatureValue>)[^<]*/, '$1')],
  ['an empty signature algorithm', ({ whole }) => whole.replace(RSA_SHA256, '')],
  ['the signature algorithm none', ({ whole }) => whole.replace(RSA_SHA256, 'none')],
  [
    'a comment that splits a value',
    ({ whole }) =>
      whole.replace('user@acme.test', 'user@acme.test<!-- -->.evil').replace('/metadata<', '/meta<!-- -->data<'),
  ],
  ['a document type', ({ whole }) => `<!DOCTYPE a>${whole}`],
  [
    'an external entity',
    ({ whole }) => `<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>${whole.replace('user@acme.test', '&b;')}`,
  ],
  [
    'a default attribute in a document type',
    ({ kind, whole }) => `<!DOCTYPE a [<!ATTLIST samlp:${kind} ForceAuthn CDATA "true">]>${whole}`,
  ],
];

const SIGNED: [string, (kind: Kind) => string][] = [
  ['another key', (kind) => signed(message(kind, {}), kind, { key: attacker.privateKey })],
  [
    'an HMAC with the certificate as the secret',
    (kind) =>
      signed(message(kind, {}), kind, {
        key: scene.keys.certificate,
        algorithm: 'http://www.w3.org/2000/09/xmldsig#hmac-sha1',
        hmac: true,
      }),
  ],
  [
    'a SHA-1 signature',
    (kind) => signed(message(kind, {}), kind, { algorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' }),
  ],
  ['a SHA-1 digest', (kind) => signed(message(kind, {}), kind, { digest: 'http://www.w3.org/2000/09/xmldsig#sha1' })],
  ['a reference to the whole document without its ID', (kind) => signed(message(kind, {}), kind, { uri: 'empty' })],
  [
    'a reference to only the issuer',
    (kind) => signed(message(kind, {}), kind, { xpath: "/*/*[local-name(.)='Issuer']", transforms: [EXC_C14N] }),
  ],
  [
    'a transform that keeps comments',
    (kind) => signed(message(kind, {}), kind, { transforms: [ENVELOPED, `${EXC_C14N}WithComments`] }),
  ],
  [
    'an XPath transform',
    (kind) =>
      signed(message(kind, {}), kind).replace(
        `<ds:Transform Algorithm="${EXC_C14N}"/>`,
        '<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"><ds:XPath>self::node()</ds:XPath></ds:Transform>',
      ),
  ],
  [
    'an XSLT transform',
    (kind) =>
      signed(message(kind, {}), kind).replace(
        `<ds:Transform Algorithm="${EXC_C14N}"/>`,
        '<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xslt-19991116"/>',
      ),
  ],
];

describe.each(KINDS)('%s', (kind) => {
  test('is accepted without modification', async () => {
    expect(await send(kind, caught(kind).whole)).toMatchObject({ isAccepted: true });
  });

  test.each(WRAPPED)('is rejected with %s', async (_what, wrap) => {
    const of = caught(kind);
    const xml = wrap(of);
    expect(xml).not.toBe(of.whole);
    expect(await send(kind, xml)).toMatchObject({ status: 400, isAccepted: false });
    // The captured message is still valid, so the rejection was due to the wrapping.
    expect(await send(kind, of.whole)).toMatchObject({ isAccepted: true });
  });

  test.each(SIGNED)('is rejected if signed with %s', async (_what, make) => {
    expect(await send(kind, make(kind))).toMatchObject({ status: 400, isAccepted: false });
  });

  test('is rejected if a few kilobytes inflate to megabytes', async () => {
    const bomb = deflateRawSync(Buffer.alloc(10_000_000, 32)).toString('base64');
    const query = new URLSearchParams({ SAMLRequest: bomb });
    const where = kind === 'AuthnRequest' ? 'sso' : 'slo';
    expect((await scene.browser.open(`${scene.issuer}/${where}?${query}`)).status).toBe(400);
  });
});
