import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { join } from 'node:path';
import { auditRepo, samlKeyRepo } from '@orchestrate/db';
import {
  type AuthState,
  createApp,
  createIdpCertificate,
  createSamlApp,
  DAY,
  deleteIdpCertificate,
  getApp,
  getIdpConfiguration,
  getIdpMetadata,
  HOUR,
  type InputOf,
  LIMITS,
  listApps,
  readSamlMetadata,
  updateApp,
  updateSamlApp,
} from '@orchestrate/shared';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { acs, keyDescriptor, OLD_CERTIFICATE, spMetadata } from '#testing/metadata.ts';
import { TEST_NOW, type TestPortal, testPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
let admin: AuthState;
const servers: Server[] = [];
beforeEach(async () => {
  portal = await testPortal();
  admin = await portal.signIn('super.admin@acme.test');
});
afterEach(async () => {
  for (const server of servers.splice(0)) server.close();
  await portal.close();
});

const orgCode = 'acme';
const of = (appId: string) => ({ orgCode, appId });

type NewApp = InputOf<typeof createSamlApp>['body'];
const NEW: NewApp = {
  orgCode,
  name: 'Expenses',
  metadata: spMetadata(),
  redirectUrl: 'https://sp.example/start',
  samlNameId: 'primaryEmail',
  samlAttributes: ['firstName'],
  flags: { didEnabled: true, webAuthnEnabled: false, forceAuthnEnabled: true },
};

const create = (body: Partial<NewApp> = {}) =>
  portal.call(createSamlApp, { params: { orgCode }, body: { ...NEW, ...body } }, admin);
const update = (appId: string, body: InputOf<typeof updateSamlApp>['body']) =>
  portal.call(updateSamlApp, { params: of(appId), body }, admin);
const read = (body: InputOf<typeof readSamlMetadata>['body']) =>
  portal.call(readSamlMetadata, { params: { orgCode }, body }, admin);
const detail = async (appId: string) => (await portal.call(getApp, { params: of(appId) }, admin)).body.app;
const names = async () =>
  (await portal.call(listApps, { params: { orgCode } }, admin)).body.apps.map(({ name }) => name);

const issue = (path: string, message: unknown) => ({
  status: 400,
  body: { resultName: 'INVALID_REQUEST', issues: expect.arrayContaining([{ path, message }]) },
});

describe('reading a SAML application', () => {
  // covers: spec 2.3.3
  test('returns its service provider’s metadata and the portal’s URLs', async () => {
    const app = await detail('travel-desk');
    expect(app).toMatchObject({ integrationType: 'saml', oidcConfiguration: null });
    expect(app.samlConfiguration).toMatchObject({
      metadata: expect.stringContaining('<md:SPSSODescriptor'),
      serviceProvider: {
        entityId: 'https://travel.acme.test/saml/metadata',
        certificates: [{ subject: 'CN=travel.acme.test, O=Travel Desk', isExpired: false }],
        wantAssertionsSigned: true,
        warnings: [],
      },
      samlNameId: 'primaryEmail',
      samlAttributes: ['firstName', 'lastName', 'employeeId'],
      flags: { didEnabled: true, webAuthnEnabled: true, desktopAppEnabled: true, forceAuthnEnabled: true },
      identityProvider: {
        entityId: `${portal.url}/saml/acme/travel-desk`,
        singleSignOnUrl: `${portal.url}/saml/acme/travel-desk/sso`,
        singleLogoutUrl: `${portal.url}/saml/acme/travel-desk/slo`,
        metadataUrl: `${portal.url}/api/login/idp-metadata.xml?orgCode=acme&appId=travel-desk`,
        certificates: [{ use: 'signing', subject: 'CN=acme identity provider', isExpired: false }],
      },
    });
  });

  test('returns the metadata’s certificates as PEM', async () => {
    const { samlConfiguration } = await detail('travel-desk');
    const { metadataUrl = '', certificates = [] } = samlConfiguration?.identityProvider ?? {};
    const published = await (await fetch(metadataUrl)).text();
    expect(certificates).toHaveLength(1);
    for (const { pem, fingerprint } of certificates) {
      const certificate = new X509Certificate(pem);
      expect(certificate.fingerprint256).toBe(fingerprint);
      expect(published).toContain(certificate.raw.toString('base64'));
    }
  });
});

describe('creating a SAML application', () => {
  // covers: spec 2.7.9
  test('saves the fields in the request, and defaults for the others', async () => {
    const { status, body } = await create({ description: ' Receipts ' });
    expect({ status, body }).toEqual({ status: 200, body: { resultCode: 0, appId: 'expenses' } });
    const app = await detail('expenses');
    expect(app).toMatchObject({
      name: 'Expenses',
      description: 'Receipts',
      integrationType: 'saml',
      maxCookieLife: 0,
      didEnabled: true,
      webAuthnEnabled: false,
      forceAuthnEnabled: true,
    });
    expect(app.samlConfiguration).toMatchObject({
      metadata: NEW.metadata,
      redirectUrl: NEW.redirectUrl,
      samlNameId: 'primaryEmail',
      samlNameIdFormat: '',
      samlNameIdTransformationTemplate: '',
      samlAttributes: ['firstName'],
      samlAttributesConfig: [],
    });
  });

  // covers: spec 2.7.9
  test('uses the proposed ID, or another ID if the proposed ID is taken', async () => {
    expect((await create({ appId: 'costs' })).body.appId).toBe('costs');
    expect((await create({ name: 'Second', appId: 'payroll' })).body.appId).toBe('payroll-2');
    expect((await create({ name: 'Third', appId: 'saml' })).body.appId).toBe('saml-2');
  });

  test('refuses a taken name (code 90) and saves nothing', async () => {
    const before = await names();
    expect(await create({ name: 'TRAVEL desk' })).toMatchObject({
      status: 200,
      body: { resultName: 'ORG_APP_ALREADY_EXISTS' },
    });
    expect(await names()).toEqual(before);
  });

  // covers: spec 2.5.9, spec 2.8.32
  test.each([undefined, '', '  '])('refuses a missing name ID (%j) with code 92', async (samlNameId) => {
    expect(await create({ samlNameId })).toMatchObject({
      status: 400,
      body: { resultName: 'NAME_ID_MISSING' },
    });
    expect(await names()).not.toContain('Expenses');
  });

  // covers: spec 2.5.10, spec 2.5.11, spec 2.5.12, spec 2.5.14
  test.each<[string, Partial<NewApp>, string]>([
    ['samlNameId', { samlNameId: 'password' }, 'Choose a member field'],
    ['samlNameIdTransformationTemplate', { samlNameIdTransformationTemplate: '${email' }, 'Unclosed ${'],
    ['samlNameIdFormat', { samlNameIdFormat: 'nonsense' as '' }, expect.any(String)],
    ['samlAttributes', { samlAttributes: [] }, 'Add at least one attribute'],
    ['samlAttributes', { samlAttributes: ['1', '2', '3', '4', '5', '6'] }, 'You can add at most 5 attributes'],
    ['samlAttributes.1', { samlAttributes: ['email', 'email'] }, 'This attribute is already in the list'],
    ['samlAttributes.0', { samlAttributes: ['shoeSize'] }, 'shoeSize is not a member field. Add a transform'],
    [
      'samlAttributesConfig.0.transform',
      { samlAttributesConfig: [{ name: 'firstName', transform: '${shoeSize}' }] },
      'shoeSize is not a member field',
    ],
    [
      'samlAttributesConfig.0.name',
      { samlAttributesConfig: [{ name: 'lastName', format: 'x' }] },
      'There is no attribute named lastName',
    ],
    [
      'samlAttributesConfig.1.name',
      { samlAttributesConfig: [{ name: 'firstName' }, { name: 'firstName' }] },
      'This attribute is already configured',
    ],
    ['redirectUrl', { redirectUrl: 'javascript:alert(1)' }, expect.stringMatching(/^Use https or http\./)],
    ['flags.webAuthnEnabled', { flags: JSON.parse('{"didEnabled":true}') }, 'This field is required'],
    ['flags.didEnabled', { flags: JSON.parse('{"didEnabled":"yes"}') }, 'This must be true or false'],
    ['metadata', { metadata: '' }, "Upload the service provider's metadata"],
    ['metadata', { metadata: 'x'.repeat(LIMITS.samlMetadataBytes + 1) }, 'File is larger than 5 MB'],
    ['metadata', { metadata: '<!DOCTYPE a><a/>' }, 'XML with a document type (DTD) is not accepted'],
  ])('refuses %s with an issue on the field, and saves nothing', async (path, body, message) => {
    expect(await create(body)).toMatchObject(issue(path, message));
    expect(await names()).not.toContain('Expenses');
  });

  // covers: spec 2.2.38
  test('accepts the organisation’s custom field and templates', async () => {
    const { body } = await create({
      samlNameId: 'employeeId',
      samlNameIdTransformationTemplate: 'acme-${employeeId|lower}',
      samlAttributes: ['displayName', 'employeeId'],
      samlAttributesConfig: [{ name: 'displayName', format: 'urn:x', transform: '${firstName} ${lastName|upper}' }],
    });
    expect((await detail(body.appId)).samlConfiguration).toMatchObject({
      samlNameIdTransformationTemplate: 'acme-${employeeId|lower}',
      samlAttributesConfig: [{ name: 'displayName', format: 'urn:x', transform: '${firstName} ${lastName|upper}' }],
    });
  });
});

describe('updating a SAML application', () => {
  // covers: spec 2.7.10
  test('replaces the fields in the request and keeps the others', async () => {
    const before = await detail('travel-desk');
    const { body } = await update('travel-desk', { samlAttributes: ['email'], samlAttributesConfig: [] });
    expect(body.app).toEqual({
      ...before,
      samlConfiguration: { ...before.samlConfiguration, samlAttributes: ['email'], samlAttributesConfig: [] },
    });
    const flags = { didEnabled: false, webAuthnEnabled: false, forceAuthnEnabled: false };
    const renamed = (await update('travel-desk', { name: 'Trips', flags, maxCookieLife: 60 })).body.app;
    expect(renamed).toMatchObject({ ...flags, name: 'Trips', description: before.description, maxCookieLife: 60 });
    expect(await detail('travel-desk')).toEqual(renamed);
  });

  test('validates new metadata before saving anything', async () => {
    const before = await detail('travel-desk');
    expect(await update('travel-desk', { name: 'Trips', metadata: '<a/>' })).toMatchObject(
      issue('metadata', "This is not SAML metadata: it doesn't start with an EntityDescriptor"),
    );
    expect(await detail('travel-desk')).toEqual(before);
    const { app } = (await update('travel-desk', { metadata: spMetadata() })).body;
    expect(app.samlConfiguration?.serviceProvider.entityId).toBe('https://sp.example/metadata');
  });

  // covers: security 2.2.3
  test('refuses changes that conflict with unchanged fields', async () => {
    expect(await update('travel-desk', { samlAttributes: ['email'] })).toMatchObject(
      issue('samlAttributesConfig.0.name', 'There is no attribute named firstName'),
    );
  });

  test('refuses an empty name ID, a taken name and an application of another type', async () => {
    expect((await update('travel-desk', { samlNameId: ' ' })).body.resultName).toBe('NAME_ID_MISSING');
    expect((await update('travel-desk', { name: 'payroll' })).body.resultName).toBe('ORG_APP_ALREADY_EXISTS');
    expect(await update('payroll', { name: 'Salaries' })).toMatchObject({
      status: 404,
      body: { resultName: 'ORG_APP_MISSING' },
    });
    expect((await update('nothing', {})).body.resultName).toBe('ORG_APP_MISSING');
    expect(await names()).toEqual(['Acme Portal', 'Payroll', 'Team Wiki', 'Travel Desk']);
  });

  test('accepts the same login options as other applications', async () => {
    const body = { desktopAppEnabled: false };
    expect((await portal.call(updateApp, { params: of('travel-desk'), body }, admin)).body.app).toMatchObject({
      desktopAppEnabled: false,
      samlConfiguration: { flags: { desktopAppEnabled: false } },
    });
  });

  test('refuses to create a SAML application through the endpoint for other types', async () => {
    const body = { orgCode, name: 'X', integrationType: 'saml' as 'oidc' };
    expect((await portal.call(createApp, { params: { orgCode }, body }, admin)).status).toBe(400);
  });
});

describe('reading metadata', () => {
  /** Starts a web server for the service provider on this machine and returns its URL. */
  async function served(answer: RequestListener): Promise<string> {
    const server = createServer(answer);
    servers.push(server);
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const address = server.address();
    if (typeof address !== 'object' || address === null) throw new Error('It does not listen.');
    return `http://127.0.0.1:${address.port}/metadata`;
  }

  // covers: spec 2.2.37
  test('returns a parsed file with its warnings', async () => {
    const metadata = spMetadata({ keys: keyDescriptor(OLD_CERTIFICATE) });
    const { body } = await read({ metadata });
    expect(body).toMatchObject({
      metadata,
      serviceProvider: {
        entityId: 'https://sp.example/metadata',
        certificates: [{ isExpired: true }],
        warnings: ['The certificate CN=old.example expired on 2021-01-01'],
      },
    });
  });

  // covers: spec 2.2.37
  test('fetches metadata from a URL', async () => {
    const url = await served((_request, reply) => reply.end(`\ufeff${spMetadata()}\n`));
    expect((await read({ url })).body).toMatchObject({
      metadata: spMetadata(),
      serviceProvider: { entityId: 'https://sp.example/metadata' },
    });
  });

  test('reports URL errors on the URL field', async () => {
    expect(await read({ url: 'https://169.254.169.254/' })).toMatchObject(
      issue('url', 'Link-local and reserved addresses are not allowed'),
    );
  });

  test.each([
    ['ISO-8859-1', (text: string) => Buffer.from(text, 'latin1')],
    ['windows-1252', (text: string) => Buffer.from(text, 'latin1')],
    ['UTF-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ['UTF-16BE', (text: string) => Buffer.from(text, 'utf16le').swap16()],
  ])('decodes metadata in %s from a file or a URL, and saves it as UTF-8', async (encoding, encode) => {
    const entityId = 'https://müller.example/metadata';
    const bytes = encode(spMetadata({ before: `<?xml version="1.0" encoding="${encoding}" ?>\n`, entityId }));
    const url = await served((_request, reply) => reply.end(bytes));
    for (const given of [{ file: bytes.toString('base64') }, { url }]) {
      const { metadata, serviceProvider } = (await read(given)).body;
      expect(serviceProvider.entityId).toBe(entityId);
      expect(metadata).toBe(spMetadata({ before: '<?xml version="1.0" encoding="UTF-8" ?>\n', entityId }));
    }
  });

  test('prefers the encoding in the response headers to the encoding in the file', async () => {
    const bytes = Buffer.from(spMetadata({ entityId: 'https://müller.example' }), 'latin1');
    const url = await served((_request, reply) =>
      reply.setHeader('content-type', 'application/xml; charset="ISO-8859-1"').end(bytes),
    );
    expect((await read({ url })).body.serviceProvider.entityId).toBe('https://müller.example');
    expect(await read({ file: bytes.toString('base64') })).toMatchObject(
      issue('file', 'This file is not valid UTF-8. Save it as UTF-8.'),
    );
  });

  test('corrects the encoding declaration of pasted metadata to UTF-8', async () => {
    const metadata = spMetadata({ before: '<?xml version="1.0" encoding="UTF-16"?>' });
    const { appId } = (await create({ metadata })).body;
    expect((await detail(appId)).samlConfiguration?.metadata).toBe(
      spMetadata({ before: '<?xml version="1.0" encoding="UTF-8"?>' }),
    );
  });

  test('saves only the selected provider if the metadata describes several', async () => {
    const entity = (name: string) =>
      spMetadata({
        root: 'ID="x"',
        entityId: `https://${name}.example`,
        keys: keyDescriptor(OLD_CERTIFICATE),
        services: acs(`https://${name}.example/acs?a=1&amp;b=2`),
      });
    const file = Buffer.from(
      `<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" validUntil="2020-01-31T00:00:00Z">${entity('a')}${entity('b')}</md:EntitiesDescriptor>`,
    ).toString('base64');
    expect(await read({ file })).toMatchObject({
      status: 400,
      body: {
        issues: [{ path: 'file', message: 'This metadata describes 2 service providers. Choose one.' }],
        entityIds: ['https://a.example', 'https://b.example'],
      },
    });
    const { metadata, serviceProvider } = (await read({ file, chosenEntityId: 'https://b.example' })).body;
    expect(serviceProvider).toMatchObject({
      entityId: 'https://b.example',
      assertionConsumerServices: [{ location: 'https://b.example/acs?a=1&b=2' }],
      certificates: [{ subject: 'CN=old.example' }],
    });
    expect(serviceProvider.warnings).toContain('This metadata expired on 2020-01-31');
    expect(metadata).not.toContain('a.example');
    expect((await create({ metadata })).body.resultCode).toBe(0);
    expect(await read({ file, chosenEntityId: 'https://c.example' })).toMatchObject(
      issue('chosenEntityId', 'This metadata does not describe this service provider'),
    );
  });

  test('explains on a local portal why a local address can’t be read', async () => {
    const because = async (url: string) => (await read({ url })).body.issues?.[0]?.message;
    expect(await because('http://127.0.0.1:1/')).toBe('This address refused the connection');
    const missing = await served((_request, reply) => reply.writeHead(404).end());
    expect(await because(missing)).toBe('This address responded with status 404');
    const page = await served((_request, reply) => reply.end('<!DOCTYPE html><p>Welcome'));
    expect(await because(page)).toBe('This is a web page, not metadata');
  });

  test('refuses all local addresses with the same message on a portal open to other machines', async () => {
    Object.assign(portal.deps.outsidePolicy, { isLocal: false });
    const unreadable = issue('url', 'This address cannot be read');
    expect(await read({ url: 'http://127.0.0.1:1/' })).toMatchObject(unreadable);
    const page = await served((_request, reply) => reply.end('<html></html>'));
    expect(await read({ url: page })).toMatchObject(unreadable);
    const binary = await served((_request, reply) => reply.end(Buffer.from([0xff, 0xfe, 0x00])));
    expect(await read({ url: binary })).toMatchObject(unreadable);
    const endless = await served((_request, reply) => {
      const more = () => void (reply.write(Buffer.alloc(1_048_576)) ? setImmediate(more) : reply.once('drain', more));
      more();
    });
    expect(await read({ url: endless })).toMatchObject(unreadable);
  });

  // covers: spec 2.2.37
  test('converts manually entered fields to equivalent metadata', async () => {
    const pem = `-----BEGIN CERTIFICATE-----\n${OLD_CERTIFICATE.replace(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE-----\n`;
    const typed = {
      entityId: `urn:sp:"<&'>`,
      assertionConsumerServiceUrl: `https://sp.example/acs?a="1"&b=<2>`,
      singleLogoutServiceUrl: 'https://sp.example/slo',
      certificate: pem,
    };
    const { metadata, serviceProvider } = (await read(typed)).body;
    expect(serviceProvider).toMatchObject({
      entityId: typed.entityId,
      assertionConsumerServices: [{ location: typed.assertionConsumerServiceUrl, index: 0, isDefault: true }],
      singleLogoutServices: [{ location: typed.singleLogoutServiceUrl }],
      certificates: [{ use: 'both', subject: 'CN=old.example' }],
    });
    expect((await create({ metadata })).body.resultCode).toBe(0);
    const { entityId, assertionConsumerServiceUrl } = typed;
    const short = (await read({ entityId, assertionConsumerServiceUrl, certificate: '' })).body;
    expect(short.serviceProvider).toMatchObject({ certificates: [], singleLogoutServices: [] });
  });

  test.each([
    [{}, 'metadata', 'This field is required'],
    [{ entityId: 'urn:sp' }, 'assertionConsumerServiceUrl', 'This field is required'],
    [{ assertionConsumerServiceUrl: 'https://sp.example/acs' }, 'entityId', 'This field is required'],
    [
      { entityId: 'urn:sp', assertionConsumerServiceUrl: 'com.app:/x' },
      'assertionConsumerServiceUrl',
      'Use https:// or http://',
    ],
    [
      { entityId: 'a b', assertionConsumerServiceUrl: 'https://sp.example' },
      'entityId',
      'Entity IDs cannot contain spaces',
    ],
    [
      { entityId: 'a\u0001b', assertionConsumerServiceUrl: 'https://sp.example' },
      'entityId',
      'Entity IDs cannot contain spaces',
    ],
    [{ entityId: 'a\uffffb', assertionConsumerServiceUrl: 'https://sp.example' }, 'entityId', expect.any(String)],
    [
      { entityId: 'urn:sp', assertionConsumerServiceUrl: 'https://sp.example', certificate: 'nonsense' },
      'certificate',
      'This is not an X.509 certificate',
    ],
  ])('refuses %j with an issue on the field', async (body, path, message) => {
    expect(await read(body)).toMatchObject(issue(path, message));
  });
});

describe('the identity provider', () => {
  const configuration = () => portal.call(getIdpConfiguration, {}, admin);
  const metadata = (query: string) => portal.http.get(`/api/login/idp-metadata.xml?${query}`);
  const addCertificate = () => portal.call(createIdpCertificate, { body: {} }, admin);

  // covers: spec 2.7.11
  test('publishes its URLs and how to verify responses, without requiring a token', async () => {
    const { status, headers, text } = await metadata('orgCode=acme&appId=travel-desk');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/samlmetadata+xml; charset=utf-8');
    expect(headers['content-disposition']).toBeUndefined();
    const [certificate] = (await configuration()).body.certificates;
    const [, base64 = ''] = /<ds:X509Certificate>([^<]+)</.exec(text) ?? [];
    expect(new X509Certificate(Buffer.from(base64, 'base64')).fingerprint256).toBe(certificate?.fingerprint);
    const entity = `${portal.url}/saml/acme/travel-desk`;
    const [signature = ''] = /<ds:Signature .*<\/ds:Signature>/.exec(text) ?? [];
    const [, id] = / URI="#(_[0-9a-f]{32})"/.exec(signature) ?? [];
    const described = text.replace(signature, 'SIGNATURE').replace(base64, 'CERTIFICATE');
    expect(described).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" ID="${id}" cacheDuration="PT1H" entityID="${entity}">SIGNATURE
  <md:Extensions xmlns:alg="urn:oasis:names:tc:SAML:metadata:algsupport">
    <alg:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/>
    <alg:DigestMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#sha384"/>
    <alg:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha512"/>
    <alg:SigningMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/>
    <alg:SigningMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha384"/>
    <alg:SigningMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha512"/>
    <alg:SigningMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256"/>
    <alg:SigningMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha384"/>
    <alg:SigningMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha512"/>
  </md:Extensions>
  <md:IDPSSODescriptor WantAuthnRequestsSigned="false" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>CERTIFICATE</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>
    <md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${entity}/slo"/>
    <md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${entity}/slo"/>
    <md:NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress</md:NameIDFormat>
    <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${entity}/sso"/>
    <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${entity}/sso"/>
  </md:IDPSSODescriptor>
</md:EntityDescriptor>`);
  });

  test('returns well-formed XML that contains only the identity provider role', async () => {
    const { text } = await metadata('orgCode=acme&appId=travel-desk');
    expect(await read({ metadata: text })).toMatchObject(
      issue('metadata', "This metadata doesn't describe a service provider (SPSSODescriptor)"),
    );
  });

  test('is served at the address in docs/applications.md', async () => {
    const page = readFileSync(join(import.meta.dirname, '../../../../../docs/applications.md'), 'utf8');
    const [, path = ''] = /http:\/\/localhost:3000(\/saml\/[\w/-]+)/.exec(page) ?? [];
    const { status, text } = await portal.http.get(path);
    expect({ status, text }).toEqual({ status: 200, text: expect.stringContaining(`entityID="${portal.url}${path}"`) });
  });

  // covers: spec 2.7.11, security 5.4.1, security 5.4.2
  test('can be downloaded as a file', async () => {
    const { headers } = await metadata('orgCode=acme&appId=travel-desk&download=true');
    expect(headers['content-disposition']).toBe('attachment; filename="saml-idp-metadata.xml"');
  });

  test('returns 404 for unknown organisations and for applications that don’t use SAML', async () => {
    const refusal = async (query: { orgCode: string; appId: string }) => {
      const { status, body } = await portal.call(getIdpMetadata, { query });
      return [status, body.resultCode];
    };
    expect(await refusal({ orgCode: 'nobody', appId: 'travel-desk' })).toEqual([404, 18]);
    expect(await refusal({ orgCode: 'acme', appId: 'payroll' })).toEqual([404, 38]);
    expect(await refusal({ orgCode: 'globex', appId: 'travel-desk' })).toEqual([404, 38]);
  });

  test('has one key per organisation, even after concurrent first requests', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => metadata('orgCode=acme&appId=travel-desk')));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const [row, ...others] = samlKeyRepo.listSamlKeys(portal.deps.db, 'acme');
    expect(others).toEqual([]);
    const certificate = new X509Certificate(row?.certificate ?? '');
    expect(certificate.checkPrivateKey(createPrivateKey(row?.privateKey ?? ''))).toBe(true);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.publicKey.asymmetricKeyDetails).toMatchObject({ modulusLength: 2_048 });
    // Seeded keys are valid from the start of the hour, so round down.
    const from = TEST_NOW - (TEST_NOW % HOUR);
    expect(certificate.validFromDate.getTime()).toBe(from);
    expect(certificate.validToDate.getTime()).toBe(from + 3_652 * DAY);
    expect(samlKeyRepo.listSamlKeys(portal.deps.db, 'globex')).toEqual([]);
  });

  test('has a configuration with its issuer, certificates and applications', async () => {
    expect((await configuration()).body).toMatchObject({
      issuer: `${portal.url}/oidc/acme`,
      discoveryUrl: `${portal.url}/oidc/acme/.well-known/openid-configuration`,
      certificates: [{ subject: 'CN=acme identity provider', use: 'signing' }],
      applications: [{ appId: 'travel-desk', name: 'Travel Desk', entityId: `${portal.url}/saml/acme/travel-desk` }],
    });
  });

  test('signs with a new certificate immediately, and publishes the old one until it is deleted', async () => {
    const [old] = (await configuration()).body.certificates;
    const [created, saved] = (await addCertificate()).body.certificates;
    expect(saved).toEqual(old);
    expect(created?.kid).not.toBe(old?.kid);
    const both = (await metadata('orgCode=acme&appId=travel-desk')).text.match(/<md:KeyDescriptor/g);
    expect(both).toHaveLength(2);
    const remove = (kid = '') => portal.call(deleteIdpCertificate, { params: { kid } }, admin);
    expect(await remove(created?.kid)).toMatchObject({
      status: 200,
      body: {
        resultName: 'FORBIDDEN',
        message: 'The newest certificate is used for signing. Create a new one before you delete it.',
      },
    });
    expect((await remove(old?.kid)).body.certificates).toEqual([created]);
    expect((await remove(old?.kid)).body.resultName).toBe('ID_DOESNOT_EXIST');
  });

  test('allows at most five certificates', async () => {
    const [row] = (await configuration()).body.certificates;
    const stored = samlKeyRepo.listSamlKeys(portal.deps.db, 'acme')[0];
    if (!row || !stored) throw new Error('The key is missing.');
    for (const kid of ['a', 'b', 'c', 'd']) samlKeyRepo.insertSamlKey(portal.deps.db, { ...stored, kid });
    expect(await addCertificate()).toMatchObject({
      status: 400,
      body: { resultName: 'INVALID_REQUEST', message: 'You can have at most 5 certificates. Delete an old one first.' },
    });
  });
});

test('records saved fields in the audit trail, except other protocols’ and internal fields', async () => {
  const { appId } = (await create()).body;
  const [event] = auditRepo.listEvents(portal.deps.db, orgCode, {}, { count: 1 });
  expect(event).toMatchObject({ action: 'application.created', objectId: appId });
  const fields = event?.changes.map(({ field }) => field);
  expect(fields).toContain('provider.nameId');
  expect(fields?.filter((field) => /^client|orgCode|appId/.test(field))).toEqual([]);
});
