import { parseSetCookie } from 'cookie';
import { machineNow } from '../platform/adapters/machine-time.ts';

interface Kept {
  host: string;
  path: string;
  name: string;
  value: string;
  isSecure: boolean;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

/** The cookies of one browser (RFC 6265 §5.3 and §5.4). They go back to the host that has set them, on any port. */
export interface CookieJar {
  keep(url: URL, response: Response): void;
  /** The `Cookie` header for a request to this address; undefined if no cookie goes there. */
  headerFor(url: URL): string | undefined;
}

export function createCookieJar(): CookieJar {
  let kept: Kept[] = [];
  return {
    keep(url, { headers }) {
      for (const line of headers.getSetCookie()) {
        const { name, value = '', path, maxAge, expires, secure } = parseSetCookie(line, { decode: asItIs });
        const place = { host: url.hostname, path: path?.startsWith('/') ? path : folderOf(url), name };
        const expiresAt = maxAge === undefined ? (expires?.getTime() ?? Number.POSITIVE_INFINITY) : after(maxAge);
        kept = kept.filter((one) => one.host !== place.host || one.path !== place.path || one.name !== name);
        if (expiresAt > machineNow()) kept.push({ ...place, value, expiresAt, isSecure: secure === true });
      }
    },
    headerFor(url) {
      const sent = kept
        .filter((one) => one.host === url.hostname && one.expiresAt > machineNow())
        .filter((one) => !one.isSecure || isTrustworthy(url))
        .filter((one) => covers(one.path, url.pathname))
        .sort((one, other) => other.path.length - one.path.length);
      return sent.length === 0 ? undefined : sent.map(({ name, value }) => `${name}=${value}`).join('; ');
    },
  };
}

// What a value means is up to whom it goes back to.
const asItIs = (value: string) => value;
const after = (seconds: number) => machineNow() + seconds * 1_000;
const folderOf = ({ pathname }: URL) => pathname.slice(0, pathname.lastIndexOf('/')) || '/';
const covers = (folder: string, path: string) =>
  path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
/** Browsers trust this machine as they trust HTTPS. */
const isTrustworthy = ({ protocol, hostname }: URL) =>
  protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '127.0.0.1';
