import { LIMITS } from '@orchestrate/shared';
import { describe, expect, test } from 'vitest';
import { Refusal } from '#platform/refusal.ts';
import { readPeer } from '#protocols/saml/read-peer.ts';
import { acs, keyDescriptor, OLD_CERTIFICATE, spMetadata } from '#testing/metadata.ts';
import { readServiceProvider } from './read-service-provider.ts';

const NOW = Date.UTC(2026, 2, 2);
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';

const read = (metadata: string, now = NOW) => readServiceProvider(metadata, now);

/** Returns the error message on the metadata field. */
async function complaint(metadata: string): Promise<string | undefined> {
  const reason = await read(metadata).catch((caught: unknown) => caught);
  if (!(reason instanceof Refusal) || reason.result !== 'INVALID_REQUEST') throw new Error('It was accepted.');
  const [issue] = reason.issues ?? [];
  expect(issue?.path).toBe('metadata');
  return issue?.message;
}

describe('readServiceProvider()', () => {
  // covers: security 5.2.2
  test("reads all of a service provider's settings", async () => {
    const metadata = spMetadata({
      before: '<?xml version="1.0"?><!-- ours -->\n',
      descriptor:
        'AuthnRequestsSigned="true" WantAssertionsSigned="1" protocolSupportEnumeration="urn:oasis:names:tc:SAML:1.1:protocol urn:oasis:names:tc:SAML:2.0:protocol"',
      keys: keyDescriptor(OLD_CERTIFICATE.replace(/(.{64})/g, '$1\n   ')) + keyDescriptor(OLD_CERTIFICATE, ''),
      services: `<md:SingleLogoutService Binding="${REDIRECT}" Location="https://sp.example/slo?a=1&amp;b=2"/>
        <md:NameIDFormat> urn:oasis:names:tc:SAML:2.0:nameid-format:persistent </md:NameIDFormat>
        ${acs('https://sp.example/redirected', REDIRECT)}
        <md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://sp.example/acs" index="7" isDefault="true"/>`,
    });
    const provider = await read(metadata, Date.UTC(2020, 5));
    expect(provider).toEqual({
      entityId: 'https://sp.example/metadata',
      assertionConsumerServices: [
        { binding: REDIRECT, location: 'https://sp.example/redirected', index: 0, isDefault: false },
        {
          binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST',
          location: 'https://sp.example/acs',
          index: 7,
          isDefault: true,
        },
      ],
      singleLogoutServices: [{ binding: REDIRECT, location: 'https://sp.example/slo?a=1&b=2' }],
      nameIdFormats: ['urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'],
      certificates: [expect.objectContaining({ use: 'signing' }), expect.objectContaining({ use: 'both' })],
      authnRequestsSigned: true,
      wantAssertionsSigned: true,
      warnings: [],
    });
    expect(provider.certificates[0]).toEqual({
      use: 'signing',
      subject: 'CN=old.example',
      issuer: 'CN=old.example',
      notBefore: '2020-01-01T00:00:00.000Z',
      notAfter: '2021-01-01T00:00:00.000Z',
      isExpired: false,
      fingerprint: expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/),
    });
  });

  test('identifies elements by namespace, not by prefix', async () => {
    const unprefixed = spMetadata().replace('xmlns:md', 'xmlns').replaceAll('md:', '');
    expect((await read(unprefixed)).entityId).toBe('https://sp.example/metadata');
    expect(await complaint(spMetadata({ root: 'xmlns:md="urn:example:other"' }))).toContain(
      'This is not SAML metadata',
    );
  });

  test('reads the only service provider in a group of entities', async () => {
    const idp = '<md:EntityDescriptor entityID="https://idp.example"><md:IDPSSODescriptor/></md:EntityDescriptor>';
    const group = (inside: string) =>
      `<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata">${inside}</md:EntitiesDescriptor>`;
    expect((await read(group(idp + group(spMetadata())))).entityId).toBe('https://sp.example/metadata');
    expect(await complaint(group(spMetadata() + spMetadata()))).toBe(
      'The service provider has more than one SAML 2.0 descriptor',
    );
    expect(await complaint(group(idp))).toBe("This metadata doesn't describe a service provider (SPSSODescriptor)");
  });

  test('reads the SAML 2.0 descriptor of an entity that also has a SAML 1.1 descriptor', async () => {
    const saml1 = '<md:SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:1.1:protocol"/>';
    for (const metadata of [
      spMetadata({ after: saml1 }),
      spMetadata().replace('<md:SPSSODescriptor', `${saml1}<md:SPSSODescriptor`),
    ]) {
      expect(await read(metadata)).toMatchObject({
        assertionConsumerServices: [{ location: 'https://sp.example/acs' }],
        warnings: [],
      });
      expect((await readPeer(metadata)).consumers).toMatchObject([{ location: 'https://sp.example/acs' }]);
    }
  });

  test.each([
    ['True', true, 'read as true'],
    ['YES', true, 'read as true'],
    ['False', false, 'read as false'],
    ['2', false, 'read as false'],
    ['1', true, undefined],
    ['true', true, undefined],
    ['0', false, undefined],
  ])('reads AuthnRequestsSigned="%s"', async (value, isSigned, note) => {
    const { authnRequestsSigned, warnings } = await read(
      spMetadata({
        descriptor: `AuthnRequestsSigned="${value}" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"`,
        keys: keyDescriptor(OLD_CERTIFICATE, ''),
      }),
      Date.UTC(2020, 5),
    );
    expect(authnRequestsSigned).toBe(isSigned);
    expect(warnings).toEqual(note ? [`AuthnRequestsSigned must be true or false. “${value}” was ${note}`] : []);
  });

  test('ignores an empty certificate, with a warning', async () => {
    const { certificates, warnings } = await read(
      spMetadata({ keys: keyDescriptor(' \n ') + keyDescriptor(OLD_CERTIFICATE) }),
      Date.UTC(2020, 5),
    );
    expect(certificates).toMatchObject([{ subject: 'CN=old.example' }]);
    expect(warnings).toEqual(['An empty certificate was ignored']);
  });

  // covers: spec 2.5.11
  test('warns about expired metadata and certificates, and unverifiable signatures', async () => {
    const { certificates, warnings } = await read(
      spMetadata({
        keys: keyDescriptor(OLD_CERTIFICATE, ' use="encryption"'),
        descriptor:
          'validUntil="2026-01-31T00:00:00Z" AuthnRequestsSigned="true" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"',
      }),
    );
    expect(certificates[0]?.isExpired).toBe(true);
    expect(warnings).toEqual([
      'The certificate CN=old.example expired on 2021-01-01',
      'This metadata expired on 2026-01-31',
      'The service provider signs its requests but provides no certificate to verify them',
    ]);
  });

  test('uses the earliest validUntil of the enclosing elements (metadata §2.3.1)', { tags: 'whole' }, async () => {
    const group = (until: string, inside: string) =>
      `<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" validUntil="${until}T00:00:00Z">${inside}</md:EntitiesDescriptor>`;
    const entity = (until: string, descriptorUntil: string) =>
      spMetadata({
        root: `xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" validUntil="${until}T00:00:00Z"`,
        descriptor: `validUntil="${descriptorUntil}T00:00:00Z" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"`,
      });
    const [over, later] = ['2020-01-31', '2100-01-31'];
    const expected = ['This metadata expired on 2020-01-31'];
    expect((await read(entity(over, later))).warnings).toEqual(expected);
    expect((await read(entity(later, over))).warnings).toEqual(expected);
    expect((await read(group(over, entity(later, later)))).warnings).toEqual(expected);
    expect((await read(group(later, group(over, entity(later, later))))).warnings).toEqual(expected);
    expect((await read(group(later, entity(later, later)))).warnings).toEqual([]);
  });

  test('warns about addresses without TLS, except on this machine', { tags: 'whole' }, async () => {
    const warnings = async (address: string) => (await read(spMetadata({ services: acs(address) }))).warnings;
    expect(await warnings('http://sp.example/acs')).toEqual([
      'Sign-ins to http://sp.example/acs are not encrypted, so others could read and reuse them. Use https',
    ]);
    for (const address of ['https://sp.example/acs', 'http://localhost:8080/acs', 'http://127.0.0.1/acs'])
      expect(await warnings(address)).toEqual([]);
  });

  // covers: spec 2.5.10, security 1.5.1
  test('accepts metadata up to the size limit', async () => {
    const padded = (bytes: number) => {
      const metadata = spMetadata();
      return metadata + ' '.repeat(bytes - Buffer.byteLength(metadata));
    };
    expect((await read(padded(LIMITS.samlMetadataBytes))).entityId).toBe('https://sp.example/metadata');
    expect(await complaint(padded(LIMITS.samlMetadataBytes + 1))).toBe('File is larger than 5 MB');
  });

  // covers: spec 2.5.10
  test('measures the size limit in bytes, not characters', async () => {
    const comment = `<!--${'é'.repeat(LIMITS.samlMetadataBytes / 2)}-->`;
    expect(await complaint(spMetadata({ before: comment }))).toBe('File is larger than 5 MB');
  });
});

describe('rejects metadata:', () => {
  const DTD = 'XML with a document type (DTD) is not accepted';
  const entity = (declarations: string, use: string) =>
    spMetadata({ before: `<!DOCTYPE x [${declarations}]>`, entityId: use });
  const laughs = Array.from({ length: 10 }, (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`).join(
    '',
  );

  test.each([
    ['a document type', spMetadata({ before: '<!DOCTYPE md:EntityDescriptor>' }), DTD],
    ['an internal entity', entity('<!ENTITY a "b">', '&a;'), DTD],
    ['an external entity', entity('<!ENTITY a SYSTEM "file:///etc/passwd">', '&a;'), DTD],
    ['an external subset', spMetadata({ before: '<!DOCTYPE x SYSTEM "http://127.0.0.1/x.dtd">' }), DTD],
    ['a parameter entity', entity('<!ENTITY % a SYSTEM "http://127.0.0.1/"> %a;', 'x'), DTD],
    ['a billion laughs attack', entity(`<!ENTITY l0 "lol">${laughs}`, '&l10;'), DTD],
    ['an undeclared entity', spMetadata({ entityId: '&laugh;' }), 'This is not well-formed XML (line 1)'],
    ['plain text', 'metadata', 'This is not well-formed XML (line 1)'],
    ['a missing end tag', spMetadata().slice(0, -5), 'This is not well-formed XML (line 1)'],
    ['an undeclared prefix', spMetadata({ root: '' }), 'This is not well-formed XML (line 1)'],
    ['a web page', '\n<html><br></html>', 'This is a web page, not metadata'],
    ['a web page with a doctype', '<!DOCTYPE html><title>Sign in</title>', 'This is a web page, not metadata'],
    ['another root element', '\n<rss/>', "This is not SAML metadata: it doesn't start with an EntityDescriptor"],
    ['1,000 unclosed elements', `${'<md:a>'.repeat(1_000)}`, 'This is not well-formed XML (line 1)'],
    ['1,000 nested elements', spMetadata({ after: '<md:a>'.repeat(1_000) }), 'This XML is nested too deeply'],
    [
      'metadata of an identity provider',
      spMetadata().replaceAll('SPSSO', 'IDPSSO'),
      "This metadata doesn't describe a service provider (SPSSODescriptor)",
    ],
    [
      'a service provider without an entity ID',
      spMetadata({ entityId: ' ' }),
      'The service provider must have an entityID of at most 1024 characters',
    ],
    [
      'an overlong entity ID',
      spMetadata({ entityId: 'x'.repeat(1_025) }),
      'The service provider must have an entityID of at most 1024 characters',
    ],
    [
      'a service provider that supports only SAML 1.1',
      spMetadata({ descriptor: 'protocolSupportEnumeration="urn:oasis:names:tc:SAML:1.1:protocol"' }),
      'The service provider does not support SAML 2.0',
    ],
    [
      'a service provider without an AssertionConsumerService',
      spMetadata({ services: '' }),
      'The service provider has no AssertionConsumerService for HTTP POST',
    ],
    [
      'a service provider that accepts only redirected responses',
      spMetadata({ services: acs('https://sp.example/', REDIRECT) }),
      'The service provider has no AssertionConsumerService for HTTP POST',
    ],
    [
      'a script as the location',
      spMetadata({ services: acs('javascript:alert(1)') }),
      'javascript:alert(1) is not an http or https address',
    ],
    [
      'a script as a logout response location',
      spMetadata({
        services: `<md:SingleLogoutService Binding="${REDIRECT}" Location="https://sp.example/slo" ResponseLocation="javascript:alert(1)"/>${acs('https://sp.example/')}`,
      }),
      'javascript:alert(1) is not an http or https address',
    ],
    ['an empty location', spMetadata({ services: acs('') }), 'An empty Location is not an http or https address'],
    [
      'an invalid certificate',
      spMetadata({ keys: keyDescriptor('bm90IGEgY2VydGlmaWNhdGU=') }),
      'A certificate in this metadata cannot be read',
    ],
    [
      '101 certificates',
      spMetadata({ keys: keyDescriptor(OLD_CERTIFICATE).repeat(101) }),
      'This metadata contains too many elements',
    ],
    [
      '101 attributes',
      spMetadata({ descriptor: Array.from({ length: 101 }, (_, at) => `a${at}=""`).join(' ') }),
      'This metadata contains too many elements',
    ],
  ])('rejects %s', async (_name, metadata, message) => {
    expect(await complaint(metadata)).toBe(message);
  });
});
