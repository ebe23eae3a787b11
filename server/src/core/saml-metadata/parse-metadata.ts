import { setImmediate } from 'node:timers/promises';
import type { SaxesParser, SaxesTagNS } from 'saxes';
import { METADATA_NAMESPACE, SIGNATURE_NAMESPACE } from './names.ts';

/** The contents of an `SPSSODescriptor`, unchecked (SAML 2.0 metadata §2.4.4). */
export interface ParsedDescriptor {
  entityId: string;
  protocols: string;
  /** Its own ends and those of everything around it, of which the first counts (§2.3.1). */
  validUntil: string[];
  authnRequestsSigned: boolean;
  wantAssertionsSigned: boolean;
  certificates: { use: string | undefined; text: string }[];
  /** `responseLocation` is where answers go (§2.2.2); defaults to `location`. */
  logoutServices: { binding: string; location: string; responseLocation: string }[];
  nameIdFormats: string[];
  assertionConsumerServices: { binding: string; location: string; index: string | undefined; isDefault: boolean }[];
}

/** Metadata that cannot be used; the message is a sentence for people. */
export class MetadataUnreadable extends Error {}

const DEPTH_MAX = 64;
/** Limit for each kind of element: more than any service provider has. */
const LIST_MAX = 100;
/** Characters parsed at a time, a few milliseconds of work, before other requests get their turn. */
const PORTION = 65_536;

/**
 * The service providers of a metadata document. Parsed strictly and as a stream: no document type (so no entities but
 * the five of XML), bounded depth, nothing loaded from outside. @throws MetadataUnreadable
 */
export async function parseMetadata(xml: string): Promise<ParsedDescriptor[]> {
  // Loaded on first use: the portal starts without it (decision 018).
  const { SaxesParser } = await import('saxes');
  const parser = new SaxesParser({ xmlns: true });
  const descriptors = collectDescriptors(parser);
  for (let start = 0; start < xml.length; start += PORTION) {
    if (start > 0) await setImmediate();
    parser.write(xml.slice(start, start + PORTION));
  }
  parser.close();
  return descriptors;
}

type Parser = SaxesParser<{ xmlns: true }>;

/** Short names for the two relevant vocabularies; anything else matches nothing. */
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

/** The relevant elements and their ancestors; a path begins at the entity. */
const PATHS: ReadonlySet<string> = new Set([
  ...[GROUP, ENTITY, SP, KEY, NAME_ID_FORMAT, LOGOUT, CONSUMER],
  ...[`${KEY}/ds:KeyInfo`, `${KEY}/ds:KeyInfo/ds:X509Data`, CERTIFICATE],
]);

/** '' for irrelevant elements, and so for everything inside them. */
function pathOf(parent: string | undefined, tag: SaxesTagNS): string {
  if (parent === '') return '';
  const name = nameOf(tag);
  // An entity may stand alone or within groups of entities (§2.3.1).
  const path = parent === undefined || parent === GROUP ? name : `${parent}/${name}`;
  return PATHS.has(path) ? path : '';
}

function collectDescriptors(parser: Parser): ParsedDescriptor[] {
  const found: ParsedDescriptor[] = [];
  /** The path of every open element. */
  const open: string[] = [];
  /** The ends of those that have one, by their depth. */
  const ends: string[] = [];
  let entity: SaxesTagNS | undefined;
  let keyUse: string | undefined;
  let text = '';
  const takeText = (part: string) => {
    text += part;
  };

  parser.on('error', () => {
    throw new MetadataUnreadable(`This is not well-formed XML (line ${parser.line})`);
  });
  parser.on('doctype', () => {
    throw new MetadataUnreadable('XML with a document type (DTD) is not accepted');
  });
  let attributes = 0;
  parser.on('attribute', () => {
    attributes += 1;
    if (attributes > LIST_MAX) throw tooMany();
  });
  parser.on('opentagstart', () => {
    attributes = 0;
    if (open.length >= DEPTH_MAX) throw new MetadataUnreadable('This XML is nested too deeply');
  });
  parser.on('opentag', (tag) => {
    const path = pathOf(open.at(-1), tag);
    if (open.length === 0 && path !== GROUP && path !== ENTITY) throw noMetadata();
    open.push(path);
    if (path === '') return;
    const end = attribute(tag, 'validUntil');
    if (end !== undefined) ends[open.length] = end;
    if (path === ENTITY) entity = tag;
    if (path === SP) found.push(bounded(found, descriptorOf(tag, entity, Object.values(ends))));
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

const noMetadata = () =>
  new MetadataUnreadable('This is not SAML metadata: it does not begin with an EntityDescriptor');

function collectService(current: ParsedDescriptor, path: string, tag: SaxesTagNS): void {
  const service = { binding: attribute(tag, 'Binding') ?? '', location: attribute(tag, 'Location') ?? '' };
  if (path === LOGOUT) {
    const responseLocation = attribute(tag, 'ResponseLocation') ?? service.location;
    current.logoutServices.push(bounded(current.logoutServices, { ...service, responseLocation }));
  }
  if (path === CONSUMER) {
    const { assertionConsumerServices: services } = current;
    const isDefault = isTrue(attribute(tag, 'isDefault'));
    services.push(bounded(services, { ...service, index: attribute(tag, 'index'), isDefault }));
  }
}

function descriptorOf(tag: SaxesTagNS, entity: SaxesTagNS | undefined, validUntil: string[]): ParsedDescriptor {
  return {
    entityId: (entity && attribute(entity, 'entityID')) ?? '',
    protocols: attribute(tag, 'protocolSupportEnumeration') ?? '',
    validUntil,
    authnRequestsSigned: isTrue(attribute(tag, 'AuthnRequestsSigned')),
    wantAssertionsSigned: isTrue(attribute(tag, 'WantAssertionsSigned')),
    certificates: [],
    logoutServices: [],
    nameIdFormats: [],
    assertionConsumerServices: [],
  };
}

/** An attribute without a namespace, trimmed like every string. */
function attribute({ attributes }: SaxesTagNS, name: string): string | undefined {
  const found = attributes[name];
  return found?.uri === '' ? found.value.trim() : undefined;
}

/** XML Schema allows two spellings of a boolean. */
const isTrue = (value: string | undefined): boolean => value === 'true' || value === '1';

function bounded<T>(list: readonly T[], next: T): T {
  if (list.length >= LIST_MAX) throw tooMany();
  return next;
}

const tooMany = () => new MetadataUnreadable('This metadata has too many parts');
