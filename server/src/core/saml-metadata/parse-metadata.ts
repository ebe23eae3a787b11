import { setImmediate } from 'node:timers/promises';
import type { SaxesParser, SaxesTagNS } from 'saxes';
import { escapeXml, METADATA_NAMESPACE, SAML2_PROTOCOL, SIGNATURE_NAMESPACE } from './xml.ts';

/** Unchecked contents of an `SPSSODescriptor` (SAML 2.0 metadata §2.4.4). */
export interface ParsedDescriptor {
  entityId: string;
  protocols: string;
  /** The `validUntil` of the descriptor and its ancestors. The earliest applies (§2.3.1). */
  validUntil: string[];
  authnRequestsSigned: boolean;
  wantAssertionsSigned: boolean;
  /** Attributes with invalid booleans, and the values assumed for them. */
  misspelt: { attribute: string; value: string; isTrue: boolean }[];
  certificates: { use: string | undefined; text: string }[];
  /** Logout endpoints. `responseLocation` receives responses and defaults to `location` (§2.2.2). */
  logoutServices: { binding: string; location: string; responseLocation: string }[];
  nameIdFormats: string[];
  assertionConsumerServices: { binding: string; location: string; index: string | undefined; isDefault: boolean }[];
}

/** Thrown for unusable metadata. The message is shown to users. */
export class MetadataError extends Error {}

const DEPTH_MAX = 64;
/** Maximum number of elements of each kind, well above what service providers use. */
const LIST_MAX = 100;
/** Maximum number of service providers in a file. Federations describe thousands in one file. */
const PROVIDERS_MAX = 10_000;
/** Number of characters to parse before yielding to other requests. Parsing this many takes a few milliseconds. */
const CHUNK_SIZE = 65_536;

/**
 * Returns the service providers in a metadata document. Parses strictly and as a stream, with limited depth and
 * without external resources. Document types are rejected, so only XML's five predefined entities can occur. @throws
 * MetadataError
 */
export async function parseMetadata(xml: string): Promise<ParsedDescriptor[]> {
  if (/^\s*(?:<!doctype\s+html|<html)\b/i.test(xml)) throw new MetadataError('This is a web page, not metadata');
  const parser = await createParser();
  const descriptors = collectDescriptors(parser);
  await parse(parser, xml);
  return descriptors;
}

async function createParser(): Promise<Parser> {
  // Loaded on first use, because the portal can start without it (decision 018).
  const { SaxesParser } = await import('saxes');
  return new SaxesParser({ xmlns: true });
}

async function parse(parser: Parser, xml: string): Promise<void> {
  for (let start = 0; start < xml.length; start += CHUNK_SIZE) {
    if (start > 0) await setImmediate();
    parser.write(xml.slice(start, start + CHUNK_SIZE));
  }
  parser.close();
}

/** Returns the SAML 2.0 descriptors. An entity can also have SAML 1.1 descriptors. */
export const saml2Descriptors = (descriptors: readonly ParsedDescriptor[]): ParsedDescriptor[] =>
  descriptors.filter(({ protocols }) => protocols.split(/\s+/).includes(SAML2_PROTOCOL));

/**
 * Extracts one entity from metadata that `parseMetadata` accepts, as a separate document. Includes the namespaces and
 * the earliest `validUntil` of the enclosing groups. Leaves out the signature, which covers the whole file. Returns
 * undefined if the entity isn't found.
 */
export async function extractEntity(xml: string, entityId: string): Promise<string | undefined> {
  const parser = await createParser();
  const parts: string[] = [];
  /** Namespaces and `validUntil` of the enclosing groups. */
  const around: { ns: Record<string, string>; end: string | undefined }[] = [];
  let depth = 0;
  /** Depth of the entity while it is being copied. */
  let entity = 0;
  let skipped = 0;
  parser.on('opentag', (tag) => {
    depth += 1;
    const isEntity = tag.uri === METADATA_NAMESPACE && tag.local === ENTITY;
    const isMissing = entity === 0 && parts.length === 0;
    if (isEntity && isMissing && attribute(tag, 'entityID') === entityId) {
      entity = depth;
      parts.push(startOf(tag, inheritedBy(tag, around)));
      return;
    }
    if (entity === 0) around.push({ ns: tag.ns ?? {}, end: attribute(tag, 'validUntil') });
    else if (skipped === 0 && depth === entity + 1 && nameOf(tag) === 'ds:Signature') skipped = depth;
    else if (skipped === 0) parts.push(startOf(tag, {}));
  });
  parser.on('closetag', (tag) => {
    if (entity === 0) around.pop();
    else if (skipped === 0) parts.push(`</${tag.name}>`);
    if (skipped === depth) skipped = 0;
    if (entity === depth) entity = 0;
    depth -= 1;
  });
  const copy = (text: string) => {
    if (entity > 0 && skipped === 0) parts.push(text.replace(/[&<>]/g, escapeXml));
  };
  parser.on('text', copy);
  parser.on('cdata', copy);
  await parse(parser, xml);
  return parts.length === 0 ? undefined : parts.join('');
}

/** Returns attributes for the entity that are inherited from its groups: namespaces and the earliest `validUntil`. */
function inheritedBy(tag: SaxesTagNS, around: readonly { ns: Record<string, string>; end: string | undefined }[]) {
  const inherited: Record<string, string> = {};
  for (const { ns } of around) {
    for (const [prefix, uri] of Object.entries(ns)) inherited[prefix === '' ? 'xmlns' : `xmlns:${prefix}`] = uri;
  }
  const ends = [...around.map(({ end }) => end), attribute(tag, 'validUntil')].filter((end) => end !== undefined);
  const [first] = ends.sort((a, b) => Date.parse(a) - Date.parse(b));
  if (first !== undefined) inherited.validUntil = first;
  return inherited;
}

function startOf({ name, attributes }: SaxesTagNS, inherited: Record<string, string>): string {
  const own = Object.fromEntries(Object.values(attributes).map((each) => [each.name, each.value]));
  const { validUntil, ...namespaces } = inherited;
  const all = { ...namespaces, ...own, ...(validUntil !== undefined && { validUntil }) };
  return `<${name}${Object.entries(all)
    .map(([key, value]) => ` ${key}="${escapeXml(value)}"`)
    .join('')}>`;
}

type Parser = SaxesParser<{ xmlns: true }>;

/** Returns a prefixed name for elements of the two relevant vocabularies, metadata and XML Signature. */
function nameOf({ uri, local }: SaxesTagNS): string {
  if (uri === METADATA_NAMESPACE) return local;
  return uri === SIGNATURE_NAMESPACE ? `ds:${local}` : '?';
}

const GROUP = 'EntitiesDescriptor';
const ENTITY = 'EntityDescriptor';
const SP = `${ENTITY}/SPSSODescriptor`;
const KEY = `${SP}/KeyDescriptor`;
const CERTIFICATE = `${KEY}/ds:KeyInfo/ds:X509Data/ds:X509Certificate`;
const NAME_ID_FORMAT = `${SP}/NameIDFormat`;
const LOGOUT = `${SP}/SingleLogoutService`;
const CONSUMER = `${SP}/AssertionConsumerService`;

/** Paths of the relevant elements and their ancestors, starting at the entity. */
const PATHS: ReadonlySet<string> = new Set([
  GROUP,
  ENTITY,
  SP,
  KEY,
  NAME_ID_FORMAT,
  LOGOUT,
  CONSUMER,
  `${KEY}/ds:KeyInfo`,
  `${KEY}/ds:KeyInfo/ds:X509Data`,
  CERTIFICATE,
]);

/** Returns an element's path, or '' for irrelevant elements and their descendants. */
function pathOf(parent: string | undefined, tag: SaxesTagNS): string {
  if (parent === '') return '';
  const name = nameOf(tag);
  // An entity can be the root or nested in groups of entities (§2.3.1).
  const path = parent === undefined || parent === GROUP ? name : `${parent}/${name}`;
  return PATHS.has(path) ? path : '';
}

function collectDescriptors(parser: Parser): ParsedDescriptor[] {
  const found: ParsedDescriptor[] = [];
  /** Paths of all open elements. */
  const open: string[] = [];
  /** `validUntil` of the open elements, by depth. */
  const ends: string[] = [];
  let entity: SaxesTagNS | undefined;
  let keyUse: string | undefined;
  let text = '';
  const takeText = (part: string) => {
    text += part;
  };

  parser.on('error', () => {
    throw new MetadataError(`This is not well-formed XML (line ${parser.line})`);
  });
  parser.on('doctype', () => {
    throw new MetadataError('XML with a document type (DTD) is not accepted');
  });
  let attributes = 0;
  parser.on('attribute', () => {
    attributes += 1;
    if (attributes > LIST_MAX) throw tooMany();
  });
  parser.on('opentagstart', () => {
    attributes = 0;
    if (open.length >= DEPTH_MAX) throw new MetadataError('This XML is nested too deeply');
  });
  parser.on('opentag', (tag) => {
    const path = pathOf(open.at(-1), tag);
    if (open.length === 0 && path !== GROUP && path !== ENTITY) throw noMetadata();
    open.push(path);
    if (path === '') return;
    const end = attribute(tag, 'validUntil');
    if (end !== undefined) ends[open.length] = end;
    if (path === ENTITY) entity = tag;
    if (path === SP) {
      if (found.length >= PROVIDERS_MAX) throw tooMany();
      found.push(descriptorOf(tag, entity, Object.values(ends)));
    }
    if (path === KEY) keyUse = attribute(tag, 'use');
    if (path === CERTIFICATE || path === NAME_ID_FORMAT) {
      text = '';
      parser.on('text', takeText);
      parser.on('cdata', takeText);
    }
    const current = found.at(-1);
    if (current) collectService(current, path, tag);
  });
  parser.on('closetag', () => {
    ends.length = Math.min(ends.length, open.length);
    const path = open.pop();
    const current = found.at(-1);
    if (!current || (path !== CERTIFICATE && path !== NAME_ID_FORMAT)) return;
    parser.off('text');
    parser.off('cdata');
    const { certificates, nameIdFormats } = current;
    if (path === CERTIFICATE) certificates.push(bounded(certificates, { use: keyUse, text }));
    else nameIdFormats.push(bounded(nameIdFormats, text.trim().slice(0, 500)));
  });
  return found;
}

const noMetadata = () => new MetadataError("This is not SAML metadata: it doesn't start with an EntityDescriptor");

/** Returns the URI in an attribute, without surrounding whitespace (XML Schema, anyURI). */
const addressIn = (tag: SaxesTagNS, name: string): string | undefined => attribute(tag, name)?.trim();

function collectService(current: ParsedDescriptor, path: string, tag: SaxesTagNS): void {
  const service = { binding: attribute(tag, 'Binding') ?? '', location: addressIn(tag, 'Location') ?? '' };
  if (path === LOGOUT) {
    const responseLocation = addressIn(tag, 'ResponseLocation') ?? service.location;
    current.logoutServices.push(bounded(current.logoutServices, { ...service, responseLocation }));
  }
  if (path === CONSUMER) {
    const { assertionConsumerServices: services } = current;
    const isDefault = booleanOf(tag, 'isDefault', current.misspelt);
    services.push(bounded(services, { ...service, index: attribute(tag, 'index'), isDefault }));
  }
}

function descriptorOf(tag: SaxesTagNS, entity: SaxesTagNS | undefined, validUntil: string[]): ParsedDescriptor {
  const misspelt: ParsedDescriptor['misspelt'] = [];
  return {
    entityId: (entity && attribute(entity, 'entityID')) ?? '',
    protocols: attribute(tag, 'protocolSupportEnumeration') ?? '',
    validUntil,
    authnRequestsSigned: booleanOf(tag, 'AuthnRequestsSigned', misspelt),
    wantAssertionsSigned: booleanOf(tag, 'WantAssertionsSigned', misspelt),
    misspelt,
    certificates: [],
    logoutServices: [],
    nameIdFormats: [],
    assertionConsumerServices: [],
  };
}

/** Returns the trimmed value of an attribute without a namespace. */
function attribute({ attributes }: SaxesTagNS, name: string): string | undefined {
  const found = attributes[name];
  return found?.uri === '' ? found.value.trim() : undefined;
}

/** Parses a boolean. XML Schema allows two spellings for each value; other spellings are interpreted and reported. */
function booleanOf(tag: SaxesTagNS, name: string, misspelt: ParsedDescriptor['misspelt']): boolean {
  const value = attribute(tag, name) ?? 'false';
  if (['true', '1', 'false', '0'].includes(value)) return value === 'true' || value === '1';
  const isTrue = /^(?:true|yes)$/i.test(value);
  if (misspelt.length < LIST_MAX) misspelt.push({ attribute: name, value: value.slice(0, 40), isTrue });
  return isTrue;
}

function bounded<T>(list: readonly T[], next: T): T {
  if (list.length >= LIST_MAX) throw tooMany();
  return next;
}

const tooMany = () => new MetadataError('This metadata contains too many elements');
