import type { SaxesTagNS } from 'saxes';
import { ASSERTION_NAMESPACE, SAML2_PROTOCOL, SIGNATURE_NAMESPACE } from '#core/saml-metadata/xml.ts';
import { SamlProblem } from './saml-problem.ts';

/** Maximum message length, in characters. A signed AuthnRequest with its certificate has about 5,000. */
export const MESSAGE_MAX_LENGTH = 100_000;

/** The unchecked contents of a message from a service provider (SAML 2.0 core §3.4, §3.7). */
export interface SamlMessage {
  kind: 'AuthnRequest' | 'LogoutRequest' | 'LogoutResponse';
  /** Attributes of the root element that have no namespace. */
  attributes: ReadonlyMap<string, string>;
  issuer: string;
  /** Format of the message's Issuer, or '' if there is none. */
  issuerFormat: string;
  /** Contents of `NameIDPolicy`; '' for a missing format or qualifier. */
  nameIdPolicy: { format: string; spNameQualifier: string; allowCreate: string | undefined };
  /** The user named in a logout request or in a sign-in request's `Subject`, or undefined if there is none. */
  subject: NamedSubject | undefined;
  /** True if the message's `Subject` has a `SubjectConfirmation`. */
  hasConfirmation: boolean;
  /** Why a request violates the SAML schema. Undefined for a valid request or a response. */
  schemaProblem: string | undefined;
  sessionIndexes: readonly string[];
  /** Status code of a response, or '' for a request. */
  status: string;
  authnContext: { comparison: string; classes: readonly string[] };
  signature: SignatureShape | undefined;
}

/** A user as named by a service provider (SAML 2.0 core §2.2.3). Missing attributes are ''. */
export interface NamedSubject {
  /** The user's name ID, or '' if the form is unsupported: an encrypted ID or another type of ID. */
  nameId: string;
  format: string;
  nameQualifier: string;
  spNameQualifier: string;
}

/** Properties of a signature that determine what it covers. */
export interface SignatureShape {
  method: string;
  /** URI of every `Reference`, in order. */
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

/** Paths, below the root, of elements whose text is read. Deeper copies are ignored. */
const TEXTS: ReadonlySet<string> = new Set([
  'saml:Issuer',
  'saml:NameID',
  'saml:Subject/saml:NameID',
  'SessionIndex',
  'RequestedAuthnContext/saml:AuthnContextClassRef',
  'RequestedAuthnContext/saml:AuthnContextDeclRef',
]);

/**
 * The attributes and child elements that the schema allows in an element. Each may occur at most once, and children
 * only in this order.
 */
interface Shape {
  attributes: readonly string[];
  children?: readonly (string | readonly string[])[];
}

const REQUEST = ['ID', 'Version', 'IssueInstant', 'Destination', 'Consent'];
const SESSION_INDEX = 'SessionIndex';
/** Elements that can name the user; only one of them is allowed. */
const IDS = ['saml:BaseID', 'saml:NameID', 'saml:EncryptedID'];

/** Requests, and the elements whose attributes affect them, by path below the root. */
const SHAPES: Readonly<Record<Exclude<Kind, 'LogoutResponse'>, Readonly<Record<string, Shape>>>> = {
  AuthnRequest: {
    '': {
      attributes: [
        ...REQUEST,
        'ForceAuthn',
        'IsPassive',
        'ProtocolBinding',
        'ProviderName',
        'AssertionConsumerServiceIndex',
        'AssertionConsumerServiceURL',
        'AttributeConsumingServiceIndex',
      ],
      children: [
        'saml:Issuer',
        'Extensions',
        'saml:Subject',
        'NameIDPolicy',
        'saml:Conditions',
        'RequestedAuthnContext',
        'Scoping',
      ],
    },
    NameIDPolicy: { attributes: ['Format', 'SPNameQualifier', 'AllowCreate'] },
    RequestedAuthnContext: { attributes: ['Comparison'] },
  },
  LogoutRequest: {
    '': {
      attributes: [...REQUEST, 'Reason', 'NotOnOrAfter'],
      children: ['saml:Issuer', 'Extensions', IDS, SESSION_INDEX],
    },
  },
};

/**
 * Parses a request strictly. Limits its size, depth and number of elements, and rejects document types, comments,
 * processing instructions and CDATA, because parsers join the text around them differently.
 * @throws SamlProblem
 */
export async function parseMessage(xml: string): Promise<SamlMessage> {
  if (xml.length > MESSAGE_MAX_LENGTH) throw unreadable('it is too large');
  // Load the parser with the first message, so the portal starts without it (decision 018).
  const { SaxesParser } = await import('saxes');
  const parser = new SaxesParser({ xmlns: true });
  const path: string[] = [];
  const texts = new Map<string, string[]>();
  const tags = new Map<string, SaxesTagNS[]>();
  const children: string[] = [];
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
    if (parts > PARTS_MAX) throw unreadable('it has too many elements');
  });
  parser.on('opentag', (tag) => {
    parts += 1;
    if (path.length >= DEPTH_MAX || parts > PARTS_MAX) throw unreadable('it has too many elements');
    path.push(nameOf(tag));
    // Skip the signature, because its position doesn't affect what is read.
    if (path.length === 2 && nameOf(tag) !== 'ds:Signature') children.push(nameOf(tag));
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
  return messageOf(tags, texts, children);
}

function messageOf(
  tags: Map<string, SaxesTagNS[]>,
  texts: Map<string, string[]>,
  children: readonly string[],
): SamlMessage {
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
      allowCreate: plain(tags.get('NameIDPolicy')?.[0]).get('AllowCreate'),
    },
    hasConfirmation: tags.has('saml:Subject/saml:SubjectConfirmation'),
    schemaProblem: kind === 'LogoutResponse' ? undefined : schemaProblemOf(kind, tags, children),
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
      // Treat a declaration reference like an unknown class. The schema allows only one of the two.
      classes: ['Class', 'Decl'].flatMap((ref) => texts.get(`RequestedAuthnContext/saml:AuthnContext${ref}Ref`) ?? []),
    },
    signature: signatureOf(tags),
  };
}

/**
 * Finds elements and attributes that the schema doesn't allow. Ignoring them could change the meaning of the request:
 * a misspelt `ForceAuth` would force nothing.
 * @param children child elements of the root, in order, without a signature
 */
function schemaProblemOf(
  kind: Exclude<Kind, 'LogoutResponse'>,
  tags: Map<string, SaxesTagNS[]>,
  children: readonly string[],
): string | undefined {
  const shapes = SHAPES[kind];
  for (const [path, { attributes }] of Object.entries(shapes)) {
    const names = (tags.get(path) ?? []).flatMap((tag) => [...plain(tag).keys()]);
    const unknown = names.find((name) => !attributes.includes(name));
    if (unknown !== undefined) return `${path || kind} cannot have the attribute ${unknown.slice(0, NAME_SHOWN_MAX)}`;
  }
  const order = (shapes['']?.children ?? []).map((names) => [names].flat());
  let last = -1;
  for (const child of children) {
    const at = order.findIndex((names) => names.includes(child));
    if (at < 0) return `${kind} has an unexpected element`;
    if (at < last || (at === last && child !== SESSION_INDEX)) return `${kind} cannot have ${child} at this position`;
    last = at;
  }
  const hasName = children.some((child) => IDS.includes(child));
  return kind === 'LogoutRequest' && !hasName ? 'LogoutRequest must name a user' : undefined;
}

const NAME_SHOWN_MAX = 100;

function signatureOf(tags: Map<string, SaxesTagNS[]>): SignatureShape | undefined {
  const everywhere = [...tags].flatMap(([path, found]) => (path.endsWith('ds:Signature') ? found : []));
  if (everywhere.length === 0) return undefined;
  const all = (path: string, name: string): string[] => (tags.get(path) ?? []).map((tag) => plain(tag).get(name) ?? '');
  const direct = tags.get('ds:Signature') ?? [];
  if (everywhere.length > 1 || direct.length !== 1) throw unreadable('it has a misplaced signature');
  return {
    method: all(`${SIGNED_INFO}/ds:SignatureMethod`, 'Algorithm').join(' '),
    references: all(REFERENCE, 'URI'),
    digests: all(`${REFERENCE}/ds:DigestMethod`, 'Algorithm'),
    transforms: all(`${REFERENCE}/ds:Transforms/ds:Transform`, 'Algorithm'),
  };
}

/** Returns the element's attributes that have no namespace. */
function plain(tag: SaxesTagNS | undefined): ReadonlyMap<string, string> {
  const found = Object.values(tag?.attributes ?? {}).filter(({ uri }) => uri === '');
  return new Map(found.map(({ local, value }) => [local, value.trim()]));
}

const unreadable = (why: string) => new SamlProblem(`Couldn't read the application's request: ${why}.`);
