import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { samlKeyRepo } from '@orchestrate/db';
import type { TryCheck } from '@orchestrate/shared';
import { checkResult, checkSame } from '#core/sign-in/app-logins/start-test-sign-in.ts';
import type { ExternalTime } from '#platform/times.ts';
import { STATUS } from './saml-problem.ts';
import { verifySignedElement } from './verify-signature.ts';

/** The subset of xmllint-wasm that we use. */
interface XmlLint {
  validateXML(options: {
    xml: SchemaFile[];
    schema: SchemaFile[];
    preload: SchemaFile[];
  }): Promise<{ valid: boolean; errors: readonly { message: string }[] }>;
}

interface SchemaFile {
  fileName: string;
  contents: string;
}

const PROTOCOL = 'saml-schema-protocol-2.0.xsd';
const IMPORTED = [
  'saml-schema-assertion-2.0.xsd',
  'xmldsig-core-schema.xsd',
  'xenc-schema.xsd',
  'XMLSchema.dtd',
  'datatypes.dtd',
];

/**
 * Validates a message against the OASIS schemas with xmllint and returns its errors. xmllint and the schemas are
 * loaded on first use.
 */
export async function schemaErrors(xml: string): Promise<string[]> {
  const load = createRequire(import.meta.url);
  const { validateXML }: XmlLint = load('xmllint-wasm');
  const folder = join(dirname(load.resolve('@authenio/samlify-xmllint-wasm')), 'schemas');
  const read = async (fileName: string): Promise<SchemaFile> => ({
    fileName,
    contents: await readFile(join(folder, fileName), 'utf8'),
  });
  const [schema, preload] = [[await read(PROTOCOL)], await Promise.all(IMPORTED.map(read))];
  const { valid, errors } = await validateXML({ xml: [{ fileName: 'message.xml', contents: xml }], schema, preload });
  return valid ? [] : errors.map(({ message }) => message);
}

export interface ExpectedResponse {
  issuer: string;
  /** Entity ID of the service provider. */
  audience: string;
  /** Assertion consumer service URL of the service provider. */
  recipient: string;
  /** Names of the attributes that the service provider requires. */
  attributes: readonly string[];
  /** Signing keys in the identity provider's metadata. */
  keys: readonly Pick<samlKeyRepo.SamlKeyRow, 'certificate'>[];
  now: ExternalTime;
}

/**
 * Checks an unsolicited response as service providers must (SAML 2.0 profiles §4.1.4.3). For an encrypted assertion,
 * performs only the checks that don't need the private key.
 */
export async function checkResponse(xml: string, expected: ExpectedResponse): Promise<TryCheck[]> {
  const signatures = checkSignatures(xml, expected.keys);
  // The remaining checks parse the response, which is only safe if the organisation signed it.
  if (!signatures[0]?.isMet) return signatures;
  const textAt = (pattern: RegExp): string => plain(pattern.exec(xml)?.[1] ?? '');
  const schema = await schemaErrors(xml);
  const status = textAt(/<samlp:StatusCode Value="([^"]*)"/);
  const checks = [
    checkResult('XML', schema.length === 0, schema[0] ?? 'Conforms to the OASIS schemas.'),
    ...signatures,
    checkSame('Status', 'The status', status, STATUS.success),
    checkSame('Issuer', 'The issuer', textAt(/<saml:Issuer>([^<]*)</), expected.issuer),
  ];
  if (status !== STATUS.success || isEncrypted(xml)) return checks;
  return [
    ...checks,
    checkSame('Audience', 'The audience', textAt(/<saml:Audience>([^<]*)</), expected.audience),
    checkSame('Recipient', 'The recipient', textAt(/ Recipient="([^"]*)"/), expected.recipient),
    checkTimes(textAt(/ NotBefore="([^"]*)"/), textAt(/<saml:Conditions [^>]*NotOnOrAfter="([^"]*)"/), expected.now),
    checkNameId(textAt(/<saml:NameID Format="([^"]*)"/), textAt(/<saml:NameID [^>]*>([^<]*)</)),
    checkAttributes(
      [...xml.matchAll(/<saml:Attribute Name="([^"]*)"/g)].map(([, name = '']) => plain(name)),
      expected,
    ),
  ];
}

/** Returns true if only the service provider can read the assertion (decision 169). */
export const isEncrypted = (xml: string): boolean => xml.includes('<saml:EncryptedAssertion');

const SIGNATURE = /<ds:Signature [\s\S]*?<\/ds:Signature>/g;
/** Matches the response's own signature, which follows its issuer. */
const OWN_SIGNATURE =
  /^(<samlp:Response [^>]*><saml:Issuer>[^<]*<\/saml:Issuer>)<ds:Signature [\s\S]*?<\/ds:Signature>/;

/** Removes all signatures from a response, which makes the response unusable. */
export const withoutSignatures = (xml: string): string => xml.replaceAll(SIGNATURE, '');

function checkSignatures(xml: string, keys: ExpectedResponse['keys']): TryCheck[] {
  const certificates = keys.map(({ certificate }) => new X509Certificate(certificate));
  const parts = (text: string) => certificates.map((certificate) => verifySignedElement(text, certificate));
  // The library returns the signed element. If the whole response is signed, that includes the assertion and its
  // signature, if any.
  const hasAssertion = xml.includes('<saml:Assertion ');
  const isWhole = parts(xml).some(
    ([isVerified, part]) => isVerified && (!hasAssertion || part?.includes(':Signature>')),
  );
  const isAssertion = parts(xml.replace(OWN_SIGNATURE, '$1')).some(([isVerified]) => isVerified);
  return [
    checkSignature('Response signature', isWhole),
    ...(hasAssertion ? [checkSignature('Assertion signature', isAssertion)] : []),
  ];
}

const checkSignature = (name: string, isMet: boolean): TryCheck =>
  checkResult(
    name,
    isMet,
    isMet
      ? 'Verified with a certificate from the metadata.'
      : "Couldn't be verified with any certificate from the metadata.",
  );

function checkTimes(from: string, until: string, now: ExternalTime): TryCheck {
  const isMet = Date.parse(from) <= now && now < Date.parse(until);
  return checkResult('Validity', isMet, `Valid from ${from} to ${until}.`);
}

function checkNameId(format: string, nameId: string): TryCheck {
  if (nameId === '') return checkResult('Name ID', false, 'Empty, because this member has no value for it.');
  return checkResult('Name ID', true, `${nameId}, in the format ${format}.`);
}

function checkAttributes(found: readonly string[], { attributes }: ExpectedResponse): TryCheck {
  if (attributes.length === 0) return checkResult('Attributes', true, 'The service provider requires no attributes.');
  const missing = attributes.filter((name) => !found.includes(name));
  if (missing.length === 0) return checkResult('Attributes', true, `Included: ${attributes.join(', ')}.`);
  return checkResult('Attributes', false, `This member has no value for ${missing.join(', ')}.`);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
};

const plain = (text: string): string => text.replace(/&\w+;/g, (entity) => ENTITIES[entity] ?? entity);
