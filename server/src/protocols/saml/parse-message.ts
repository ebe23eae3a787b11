import type { SaxesTagNS } from 'saxes';
import { ASSERTION_NAMESPACE, SAML2_PROTOCOL, SIGNATURE_NAMESPACE } from '../../core/saml-metadata/names.ts';
import { MESSAGE_MAX_LENGTH } from './message-max-length.ts';
import { SamlProblem } from './saml-problem.ts';

/** The contents of one message of a service provider, unchecked (SAML 2.0 core §3.4, §3.7). */
export interface SamlMessage {
  kind: 'AuthnRequest' | 'LogoutRequest' | 'LogoutResponse';
  /** Attributes of the root, without a namespace. */
  attributes: ReadonlyMap<string, string>;
  issuer: string;
  /** The Format of its Issuer; '' if there is none. */
  issuerFormat: string;
  /** `NameIDPolicy`; '' for each attribute that is missing. */
  nameIdPolicy: { format: string; spNameQualifier: string };
  /** Who is meant: in a sign-in its `Subject`, in a logout whom it names; undefined where that is nobody. */
  subject: NamedSubject | undefined;
  sessionIndexes: readonly string[];
  /** Of an answer: its status code; '' for a request. */
  status: string;
  authnContext: { comparison: string; classes: readonly string[] };
  signature: SignatureShape | undefined;
}

/** A person as a service provider names them (SAML 2.0 core §2.2.3); '' for each attribute that is missing. */
export interface NamedSubject {
  /** '' where the person is named in a way that we do not read: encrypted, or by another kind of id. */
  nameId: string;
  format: string;
  nameQualifier: string;
  spNameQualifier: string;
}

/** The details of a signature that determine what was signed. */
export interface SignatureShape {
  method: string;
  /** Of every `Reference`, in order. */
  references: readonly string[];
  digests: readonly string[];
  transforms: readonly string[];
}

const DEPTH_MAX = 24;
const PARTS_MAX = 200;

type Kind = SamlMessage['kind'];
const KINDS: readonly string[] = ['AuthnRequest', 'LogoutRequest', 'LogoutResponse'] satisfies Kind[];
const isKind = (name: string): name is Kind => KINDS.includes(name);

function nameOf({ uri, local }: SaxesTagNS): string {
  if (uri === SAML2_PROTOCOL) return local;
  if (uri === ASSERTION_NAMESPACE) return `saml:${local}`;
  return uri === SIGNATURE_NAMESPACE ? `ds:${local}` : '?';
}

const SIGNED_INFO = 'ds:Signature/ds:SignedInfo';
const REFERENCE = `${SIGNED_INFO}/ds:Reference`;

/** Elements whose text is read, by their path below the root; anything wrapped deeper is therefore ignored. */
const TEXTS: ReadonlySet<string> = new Set([
  ...['saml:Issuer', 'saml:NameID', 'saml:Subject/saml:NameID', 'SessionIndex'],
  'RequestedAuthnContext/saml:AuthnContextClassRef',
  'RequestedAuthnContext/saml:AuthnContextDeclRef',
]);

/**
 * Parses a request strictly: no document type, no comments, instructions or CDATA (parsers differ in how they join the
 * text around them), bounded in size, depth and number. @throws SamlProblem
 */
export async function parseMessage(xml: string): Promise<SamlMessage> {
  if (xml.length > MESSAGE_MAX_LENGTH) throw unreadable('it is too large');
  // Loaded with the first message: the portal starts without it (decision 018).
  const { SaxesParser } = await import('saxes');
  const parser = new SaxesParser({ xmlns: true });
  const path: string[] = [];
  const texts = new Map<string, string[]>();
  const tags = new Map<string, SaxesTagNS[]>();
  let parts = 0;
  let text: string | undefined;
  const refuse = (what: string) => () => {
    throw unreadable(`it has ${what}`);
  };

  parser.on('error', refuse('errors in its XML'));
  parser.on('doctype', refuse('a document type (DTD)'));
  parser.on('comment', refuse('comments'));
  parser.on('processinginstruction', refuse('processing instructions'));
  parser.on('cdata', refuse('CDATA sections'));
  parser.on('attribute', () => {
    parts += 1;
    if (parts > PARTS_MAX) throw unreadable('it has too many parts');
  });
  parser.on('opentag', (tag) => {
    parts += 1;
    if (path.length >= DEPTH_MAX || parts > PARTS_MAX) throw unreadable('it has too many parts');
    path.push(nameOf(tag));
    const at = path.slice(1).join('/');
    tags.set(at, [...(tags.get(at) ?? []), tag]);
    text = TEXTS.has(at) ? '' : undefined;
  });
  parser.on('text', (part) => {
    if (text !== undefined) text += part;
  });
  parser.on('closetag', () => {
    const at = path.slice(1).join('/');
    if (text !== undefined) texts.set(at, [...(texts.get(at) ?? []), text.trim()]);
    text = undefined;
    path.pop();
  });
  parser.write(xml).close();
  return messageOf(tags, texts);
}

function messageOf(tags: Map<string, SaxesTagNS[]>, texts: Map<string, string[]>): SamlMessage {
  const root = tags.get('')?.[0];
  const kind = root && nameOf(root);
  if (!root || !kind || !isKind(kind)) throw unreadable('it is not a SAML 2.0 request');
  const one = (path: string): string => {
    const [first = '', ...others] = texts.get(path) ?? [];
    if (others.length > 0) throw unreadable(`it has several ${path.replace('saml:', '')}`);
    return first;
  };
  const attributeAt = (path: string, name: string): string => plain(tags.get(path)?.[0]).get(name) ?? '';
  const within = kind === 'AuthnRequest' ? 'saml:Subject/' : '';
  const [subject] = ['saml:NameID', 'saml:EncryptedID', 'saml:BaseID'].flatMap((id) => tags.get(within + id) ?? []);
  return {
    kind,
    attributes: plain(root),
    issuer: one('saml:Issuer'),
    issuerFormat: attributeAt('saml:Issuer', 'Format'),
    nameIdPolicy: {
      format: attributeAt('NameIDPolicy', 'Format'),
      spNameQualifier: attributeAt('NameIDPolicy', 'SPNameQualifier'),
    },
    subject: subject && {
      nameId: one(`${within}saml:NameID`),
      format: plain(subject).get('Format') ?? '',
      nameQualifier: plain(subject).get('NameQualifier') ?? '',
      spNameQualifier: plain(subject).get('SPNameQualifier') ?? '',
    },
    sessionIndexes: texts.get('SessionIndex') ?? [],
    status: attributeAt('Status/StatusCode', 'Value'),
    authnContext: {
      comparison: attributeAt('RequestedAuthnContext', 'Comparison') || 'exact',
      // A declaration is a class that nobody here knows; the schema has either the one or the other.
      classes: ['Class', 'Decl'].flatMap((ref) => texts.get(`RequestedAuthnContext/saml:AuthnContext${ref}Ref`) ?? []),
    },
    signature: signatureOf(tags),
  };
}

function signatureOf(tags: Map<string, SaxesTagNS[]>): SignatureShape | undefined {
  const everywhere = [...tags].flatMap(([path, found]) => (path.endsWith('ds:Signature') ? found : []));
  if (everywhere.length === 0) return undefined;
  const all = (path: string, name: string): string[] => (tags.get(path) ?? []).map((tag) => plain(tag).get(name) ?? '');
  const direct = tags.get('ds:Signature') ?? [];
  if (everywhere.length > 1 || direct.length !== 1) throw unreadable('it has a signature where none belongs');
  return {
    method: all(`${SIGNED_INFO}/ds:SignatureMethod`, 'Algorithm').join(' '),
    references: all(REFERENCE, 'URI'),
    digests: all(`${REFERENCE}/ds:DigestMethod`, 'Algorithm'),
    transforms: all(`${REFERENCE}/ds:Transforms/ds:Transform`, 'Algorithm'),
  };
}

/** Attributes without a namespace. */
function plain(tag: SaxesTagNS | undefined): ReadonlyMap<string, string> {
  const found = Object.values(tag?.attributes ?? {}).filter(({ uri }) => uri === '');
  return new Map(found.map(({ local, value }) => [local, value.trim()]));
}

const unreadable = (why: string) => new SamlProblem(`The request of the application cannot be read: ${why}.`);
