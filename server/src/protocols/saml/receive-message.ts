import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import { readUtf8 } from '#platform/decode.ts';
import { MESSAGE_MAX_LENGTH } from './parse-message.ts';
import { SamlProblem } from './saml-problem.ts';

/** A message as received from a browser. */
export interface ReceivedMessage {
  xml: string;
  relayState: string;
  binding: 'redirect' | 'post';
  /** The detached signature of a redirected message (SAML 2.0 bindings §3.4.4.1). */
  detached: { algorithm: string; signature: Buffer; octets: string } | undefined;
}

/**
 * Maximum length of a RelayState. It should be at most 80 bytes (bindings §3.4.3), but many service providers use it
 * for a URL.
 */
const RELAY_STATE_MAX_LENGTH = 2_048;

const inflate = promisify(inflateRaw);

/**
 * Reads the message from a query. The signature covers the query exactly as sent, so the query is sliced instead of
 * being serialised again.
 * @param query without `?`
 * @returns undefined if there is no message
 * @throws SamlProblem
 */
export async function receiveRedirected(query: string): Promise<ReceivedMessage | undefined> {
  const raw = new Map<string, string>();
  for (const pair of query.split('&')) {
    // Parameter names can be escaped too, and must be read as they were signed.
    const [name = ''] = new URLSearchParams(pair).keys();
    if (raw.has(name)) throw damaged();
    raw.set(name, pair.slice(`${pair}=`.indexOf('=') + 1));
  }
  const values = new URLSearchParams(query);
  const name = nameIn(values);
  const message = values.get(name);
  if (!message) return undefined;
  if (values.get('SAMLEncoding') && values.get('SAMLEncoding') !== DEFLATE) throw damaged();
  const algorithm = values.get('SigAlg') ?? '';
  const signature = values.get('Signature');
  const octets = [name, 'RelayState', 'SigAlg'].flatMap((part) => {
    const value = raw.get(part);
    return value === undefined ? [] : [`${part}=${value}`];
  });
  return {
    xml: await inflated(base64(message)),
    relayState: relayStateOf(values),
    binding: 'redirect',
    detached:
      signature === null
        ? undefined
        : { algorithm, signature: Buffer.from(signature, 'base64'), octets: octets.join('&') },
  };
}

const DEFLATE = 'urn:oasis:names:tc:SAML:2.0:bindings:URL-Encoding:DEFLATE';

/**
 * Reads the message from a form. Some libraries deflate the message in forms too, contrary to the binding. The first
 * byte reveals this, because XML can't start with it.
 * @returns undefined if there is no message
 * @throws SamlProblem
 */
export async function receivePosted(form: URLSearchParams): Promise<ReceivedMessage | undefined> {
  const name = nameIn(form);
  const message = form.get(name);
  if (!message) return undefined;
  if (form.getAll(name).length > 1 || form.getAll('RelayState').length > 1) throw damaged();
  const bytes = base64(message);
  const xml = XML_STARTS.includes(bytes.at(0) ?? 0) ? text(bytes) : await inflated(bytes);
  return { xml, relayState: relayStateOf(form), binding: 'post', detached: undefined };
}

/**
 * Returns the name of the message's parameter: SAMLResponse for a response to our logout request, otherwise
 * SAMLRequest.
 */
const nameIn = (values: URLSearchParams) => (values.has('SAMLResponse') ? 'SAMLResponse' : 'SAMLRequest');

/** First bytes of XML: `<`, white space, or the start of a byte order mark. */
const XML_STARTS = [0x3c, 0x20, 0x09, 0x0a, 0x0d, 0xef];

/** Returns the RelayState from a query without a message. @throws SamlProblem */
export const readRelayState = (query: string): string => relayStateOf(new URLSearchParams(query));

function relayStateOf(values: URLSearchParams): string {
  const relayState = values.get('RelayState') ?? '';
  if (relayState.length > RELAY_STATE_MAX_LENGTH) throw damaged();
  return relayState;
}

function base64(value: string): Buffer {
  const joined = value.replace(/\s+/g, '');
  if (joined.length > 2 * MESSAGE_MAX_LENGTH || !/^[A-Za-z0-9+/]+={0,2}$/.test(joined)) throw damaged();
  return Buffer.from(joined, 'base64');
}

async function inflated(compressed: Buffer): Promise<string> {
  try {
    return text(await inflate(compressed, { maxOutputLength: MESSAGE_MAX_LENGTH }));
  } catch {
    throw damaged();
  }
}

function text(bytes: Buffer): string {
  const decoded = readUtf8(bytes);
  if (decoded === undefined) throw damaged();
  return decoded;
}

const damaged = () =>
  new SamlProblem("The application's request is damaged. Go back to the application and start again.");
