import { createPrivateKey, sign } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { MINUTE } from '@orchestrate/shared';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createIdpKey } from '#core/saml-metadata/idp-keys.ts';
import { ACS, type Scene, SP, setScene, signing } from './service-provider-testing.ts';

let scene: Scene;
afterEach(() => scene.portal.close());

/** Returns a plain request. `parts` replace its default contents. */
const request = (
  parts: {
    attributes?: string;
    id?: string;
    issuer?: string;
    issuerFormat?: string;
    inside?: string;
    before?: string;
  } = {},
) => {
  const { portal, issuer: ours } = scene;
  const now = new Date(portal.clock.now()).toISOString();
  const {
    id = '_request',
    attributes = `Version="2.0" IssueInstant="${now}" Destination="${ours}/sso"`,
    issuer = `${SP}/metadata`,
    issuerFormat = '',
    inside = '',
    before = '',
  } = parts;
  return `${before}<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" ${attributes}><saml:Issuer ${issuerFormat}>${issuer}</saml:Issuer>${inside}</samlp:AuthnRequest>`;
};
const deflated = (xml: string) => deflateRawSync(Buffer.from(xml)).toString('base64');
const encoded = (xml: string) => Buffer.from(xml).toString('base64');

const redirect = (xml: string) =>
  scene.browser.open(`${scene.issuer}/sso?${new URLSearchParams({ SAMLRequest: deflated(xml) })}`);
const post = (xml: string) => scene.browser.open(`${scene.issuer}/sso`, { SAMLRequest: encoded(xml) });

const isSigningIn = (url: URL) => url.searchParams.has('app');

/** Returns the error message on the page, if the portal shows one. */
async function complaint(opened: ReturnType<typeof post>): Promise<string> {
  const { status, text, url } = await opened;
  expect({ status, isSigningIn: isSigningIn(url) }).toEqual({ status: 400, isSigningIn: false });
  return text;
}

describe('an unsigned request', () => {
  beforeEach(async () => {
    scene = await setScene(Date.now());
  });

  // covers: security 6.8.3
  test('is accepted only once', async () => {
    expect(isSigningIn((await redirect(request())).url)).toBe(true);
    expect(await complaint(redirect(request()))).toContain('it has been used before');
    expect(await complaint(post(request()))).toContain('it has been used before');
    expect(isSigningIn((await post(request({ id: '_another' }))).url)).toBe(true);
  });

  test('is accepted only once, even if the lab clock moves while it is valid', async () => {
    const { portal } = scene;
    const xml = request();
    expect(isSigningIn((await redirect(xml)).url)).toBe(true);
    for (const seconds of [600, 2 * 86_400]) {
      portal.clock.advance(seconds);
      // Send another message, which triggers the cleanup of expired messages.
      const externalTime = new Date(portal.clock.toExternalTime()).toISOString();
      const attributes = `Version="2.0" IssueInstant="${externalTime}" Destination="${scene.issuer}/sso"`;
      expect(isSigningIn((await redirect(request({ id: `_after${seconds}`, attributes }))).url)).toBe(true);
      expect(await complaint(redirect(xml))).toContain('it has been used before');
    }
  });

  test('is accepted until it expires', async () => {
    const { portal, issuer } = scene;
    portal.clock.setExternalClock('lab');
    const at = (ms: number, more = '') =>
      `Version="2.0" IssueInstant="${new Date(portal.clock.now() + ms).toISOString()}" Destination="${issuer}/sso" ${more}`;
    expect(await complaint(post(request({ attributes: at(-5 * MINUTE - 1) })))).toContain('it has expired');
    expect(await complaint(post(request({ attributes: at(5 * MINUTE + 1) })))).toContain('it has expired');
    expect(await complaint(post(request({ attributes: `Version="2.0" IssueInstant="now"` })))).toContain(
      'it has expired',
    );
    const old = request();
    portal.clock.advance(5 * 60 + 1);
    expect(await complaint(post(old))).toContain('it has expired');
  });

  test.each([
    ['a document type', { before: '<!DOCTYPE a [<!ENTITY b "c">]>' }, 'it has a document type (DTD)'],
    ['an external entity', { before: '<!DOCTYPE a SYSTEM "file:///etc/passwd">' }, 'it has a document type (DTD)'],
    ['an undefined entity', { issuer: '&xxe;' }, 'it has errors in its XML'],
    ['a comment in the issuer', { issuer: `${SP}/meta<!-- -->data` }, 'it has comments'],
    ['a CDATA section', { issuer: `<![CDATA[${SP}/metadata]]>` }, 'it has CDATA sections'],
    ['a processing instruction', { inside: '<?php ?>' }, 'it has processing instructions'],
    ['another issuer', { issuer: 'https://attacker.example' }, 'it comes from another application'],
    [
      'an issuer in the email address format',
      { issuerFormat: 'Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"' },
      'its Issuer must have the entity format',
    ],
    ['no issuer', { issuer: '' }, 'it comes from another application'],
    ['two issuers', { inside: '<saml:Issuer>x</saml:Issuer>' }, 'it has several Issuer'],
    ['another version', { attributes: 'Version="1.1"' }, 'it is not the expected kind of SAML 2.0 request'],
    [
      'another destination',
      { attributes: 'Version="2.0" Destination="https://idp.example/sso"' },
      'its Destination is another URL',
    ],
    ['unclosed elements', { inside: '<samlp:Extensions>'.repeat(30) }, 'it has too many elements'],
    ['1,000 elements', { inside: '<samlp:Extensions/>'.repeat(1_000) }, 'it has too many elements'],
    ['an ID with a quote', { id: 'a&quot;b' }, 'it has no usable ID'],
    [
      'an empty signature',
      { inside: '<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"/>' },
      'its signature is invalid',
    ],
  ])('is rejected with %s', async (_name, parts, why) => {
    expect(await complaint(post(request(parts)))).toContain(why);
  });

  test('can have an issuer with the entity format', async () => {
    const issuerFormat = 'Format="urn:oasis:names:tc:SAML:2.0:nameid-format:entity"';
    expect(isSigningIn((await post(request({ issuerFormat }))).url)).toBe(true);
  });

  // covers: security 1.5.1
  test('is rejected with an explanation if it isn’t a SAML request', async () => {
    const open = (query: string) => scene.browser.open(`${scene.issuer}/sso?${query}`);
    expect(await complaint(open('SAMLRequest=%25%25'))).toContain('damaged');
    expect(await complaint(open('SAMLRequest=AAAA'))).toContain('damaged');
    expect(await complaint(open(`SAMLRequest=${encodeURIComponent(deflated(' '.repeat(1_000_000)))}`))).toContain(
      'damaged',
    );
    expect(await complaint(post('<a/>'))).toContain('it is not a SAML 2.0 request');
    expect(await complaint(scene.browser.open(`${scene.issuer}/sso`, { RelayState: 'x' }))).toContain(
      'only works with a request from an application',
    );
    expect((await scene.browser.open(`${scene.portal.url}/saml/acme/payroll/sso`)).status).toBe(404);
    expect((await scene.browser.open(`${scene.portal.url}/saml/nobody/expenses/sso`)).status).toBe(404);
  });
});

// covers: security 1.2.7
test('rejects any malformed message with an explanation, and never crashes', async () => {
  scene = await setScene(Date.now());
  const whole = request();
  const damaged = fc.tuple(fc.nat(whole.length), fc.nat(40), fc.string({ unit: 'binary', maxLength: 10 }));
  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    damaged.map(([at, length, instead]) => whole.slice(0, at) + instead + whole.slice(at + length)),
  );
  await fc.assert(
    fc.asyncProperty(anything, fc.constantFrom('sso', 'slo'), async (xml, where) => {
      for (const SAMLRequest of [xml, encoded(xml)]) {
        const posted = await scene.browser.open(`${scene.issuer}/${where}`, { SAMLRequest });
        expect(posted.status).toBeLessThan(500);
      }
      const query = new URLSearchParams({ SAMLRequest: deflated(xml), SigAlg: xml, Signature: xml });
      expect((await scene.browser.open(`${scene.issuer}/${where}?${query}`)).status).toBeLessThan(500);
      expect((await scene.browser.open(`/saml/acme/continue?id=${encodeURIComponent(xml)}`)).status).toBe(400);
    }),
    { numRuns: 40 },
  );
});

describe('a request that must be signed', () => {
  const POSTING = { authnRequestBinding: 'HTTP-POST', skipRequestCompression: true };
  const signedXml = async () => {
    const provider = await scene.provider({ ...signing(scene), ...POSTING });
    return Buffer.from((await provider.getAuthorizeMessageAsync('')).SAMLRequest ?? '', 'base64').toString();
  };
  beforeEach(async () => {
    scene = await setScene(Date.now(), { isSigning: true });
  });

  test('is rejected without a signature', async () => {
    expect(await complaint(redirect(request()))).toContain('it is not signed');
    expect(await complaint(post(request()))).toContain('it is not signed');
  });

  test('is rejected if its content was modified', async () => {
    const xml = await signedXml();
    expect(await complaint(post(xml.replaceAll(ACS, `${SP}/other`)))).toContain('its signature is invalid');
    expect(isSigningIn((await post(xml)).url)).toBe(true);
  });

  test('is rejected if the query was modified or its RelayState removed', async () => {
    const provider = await scene.provider(signing(scene));
    const url = new URL(await provider.getAuthorizeUrlAsync('here', undefined, {}));
    const changed = new URL(url);
    changed.searchParams.set('RelayState', 'there');
    expect(await complaint(scene.browser.open(changed))).toContain('its signature is invalid');
    const without = new URL(url);
    without.searchParams.delete('RelayState');
    expect(await complaint(scene.browser.open(without))).toContain('its signature is invalid');
    const twice = `${url}&RelayState=there`;
    expect(await complaint(scene.browser.open(twice))).toContain('damaged');
    expect(isSigningIn((await scene.browser.open(url)).url)).toBe(true);
  });

  test.each(['SAMLReques%74', 'RelayStat%65', 'Si%67Alg', '%53ignature'])(
    'is rejected if %s precedes the signed query',
    async (name) => {
      const provider = await scene.provider(signing(scene));
      const url = new URL(await provider.getAuthorizeUrlAsync('here', undefined, {}));
      const other = encodeURIComponent(deflated(request({ id: '_another' })));
      for (const query of [`${name}=${other}&${url.search.slice(1)}`, `${url.search.slice(1)}&${name}=${other}`]) {
        expect(await complaint(scene.browser.open(`${scene.issuer}/sso?${query}`))).toContain('damaged');
      }
      expect(isSigningIn((await scene.browser.open(url)).url)).toBe(true);
    },
  );

  test('is rejected with another application’s key, in a form and in a redirect', async () => {
    const { privateKey, certificate } = await createIdpKey(scene.portal.deps, 'attacker');
    const theirs = { privateKey, publicCert: certificate };
    const posting = await scene.provider({ ...theirs, ...POSTING });
    const form = await posting.getAuthorizeMessageAsync('');
    expect(await complaint(scene.browser.open(`${scene.issuer}/sso`, form))).toContain('its signature is invalid');
    const redirecting = await scene.provider(theirs);
    const url = await redirecting.getAuthorizeUrlAsync('', undefined, {});
    expect(await complaint(scene.browser.open(url))).toContain('its signature is invalid');
  });

  // covers: security 11.4.1, security 11.4.3
  test('is rejected if signed with a forgeable algorithm', async () => {
    const weak = await scene.provider({ ...signing(scene), signatureAlgorithm: 'sha1' });
    expect(await complaint(scene.browser.open(await weak.getAuthorizeUrlAsync('', undefined, {})))).toContain(
      'its signature algorithm is insecure or unknown',
    );
    const posting = await scene.provider({ ...signing(scene), ...POSTING, signatureAlgorithm: 'sha1' });
    const form = await posting.getAuthorizeMessageAsync('');
    expect(await complaint(scene.browser.open(`${scene.issuer}/sso`, form))).toContain(
      'its signature algorithm is insecure or unknown',
    );
  });

  test('is rejected if signed but without a Destination', async () => {
    const now = new Date(scene.portal.clock.now()).toISOString();
    const xml = request({ attributes: `Version="2.0" IssueInstant="${now}"` });
    const query = new URLSearchParams({
      SAMLRequest: deflated(xml),
      SigAlg: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    });
    const signature = sign('sha256', Buffer.from(String(query)), createPrivateKey(scene.keys.privateKey));
    query.set('Signature', signature.toString('base64'));
    expect(await complaint(scene.browser.open(`${scene.issuer}/sso?${query}`))).toContain(
      'its Destination is another URL',
    );
  });

  /** Signature wrapping: the signature is valid but doesn't cover the content that would be read. */
  test.each([
    [
      'the signed request is nested with its signature',
      (signed: string) => request({ id: '_evil', inside: `<samlp:Extensions>${signed}</samlp:Extensions>` }),
    ],
    [
      'the signed request is nested without its signature',
      (signed: string, signature: string) =>
        request({
          id: '_evil',
          inside: `${signature}<samlp:Extensions>${signed.replace(signature, '')}</samlp:Extensions>`,
        }),
    ],
    [
      'the outer and the nested request have the same ID',
      (signed: string, signature: string) =>
        request({
          id: /ID="([^"]+)"/.exec(signed)?.[1] ?? '',
          inside: `${signature}<samlp:Extensions>${signed.replace(signature, '')}</samlp:Extensions>`,
        }),
    ],
    [
      'the outer ID has an extra space',
      (signed: string, signature: string) =>
        request({
          id: ` ${/ID="([^"]+)"/.exec(signed)?.[1]}`,
          inside: `${signature}<samlp:Extensions>${signed.replace(signature, '')}</samlp:Extensions>`,
        }),
    ],
    [
      'the signature contains the signed request',
      (signed: string, signature: string) =>
        request({
          id: '_evil',
          inside: signature.replace(
            /<\/((?:\w+:)?)Signature>$/,
            (_end, prefix: string) =>
              `<${prefix}Object>${signed.replace(signature, '')}</${prefix}Object></${prefix}Signature>`,
          ),
        }),
    ],
  ])('is rejected as wrapped if %s', async (_name, wrap) => {
    const signed = (await signedXml()).replace(/^<\?xml[^>]*\?>/, '');
    const signature = /<(\w+:)?Signature[ >].*<\/(\w+:)?Signature>/s.exec(signed)?.[0] ?? '';
    expect(signature).not.toBe('');
    expect(await complaint(post(wrap(signed, signature)))).toMatch(
      /its signature is invalid|has a misplaced signature/,
    );
  });
});
