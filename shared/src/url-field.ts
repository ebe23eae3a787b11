import { z } from 'zod';
import { FIELD_REQUIRED } from './fields.ts';
import { hiddenCharacter } from './readable.ts';

/** Fallback message if no other message explains the problem with a URL (spec 2 §5). */
export const INVALID_URL = 'Invalid URL';

/**
 * Schemes that a URL field accepts. `web` is http and https; `redirect` also accepts native applications' private-use
 * schemes, which are reversed domain names (RFC 8252 §7.1).
 */
export type UrlSchemes = 'web' | 'redirect';

const MAX_LENGTH = 2_000;

/** Characters that URLs with any scheme must not contain, in the order in which they are reported. */
const WRONG_CHARACTERS: readonly (readonly [RegExp, string])[] = [
  [/\s/, 'URLs cannot contain spaces. Write %20 instead.'],
  [/\\/, 'Write / instead of \\.'],
  [/\*/, 'Wildcards (*) are not supported. Enter each URL in full.'],
  [/#/, 'Remove the fragment: # and everything after it.'],
];

const NO_SCHEME = 'The scheme is missing. Start with https://';

/** Returns the problem with a URL as a user-facing sentence, or undefined. */
export function urlProblem(value: string, schemes: UrlSchemes): string | undefined {
  const wrong = hiddenCharacter(value) ?? WRONG_CHARACTERS.find(([pattern]) => pattern.test(value))?.[1];
  if (wrong !== undefined) return wrong;
  const scheme = /^([a-z][a-z0-9+.-]*):(?!\d+(?:[/?]|$))/i.exec(value)?.[1]?.toLowerCase();
  if (scheme === undefined) return NO_SCHEME;
  if (scheme === 'http' || scheme === 'https') return authorityProblem(value.slice(scheme.length + 1), value);
  if (schemes === 'web') return 'Use https:// or http://';
  if (/^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+$/.test(scheme)) return URL.canParse(value) ? undefined : INVALID_URL;
  return 'Use https or http. Web and native applications can also use a reversed domain name as the scheme, such as com.example.app:/callback';
}

/** Returns the problem with the rest of a web URL after its scheme. */
function authorityProblem(rest: string, value: string): string | undefined {
  if (!rest.startsWith('//')) return 'Write // after the scheme, as in https://app.example.com';
  const authority = /^[^/?]*/.exec(rest.slice(2))?.[0] ?? '';
  if (authority.includes('@')) return 'Remove the user name and password before the @.';
  const { host = '', port = '' } = /^(?<host>\[[^\]]*\]?|[^:]*)(?::(?<port>.*))?$/.exec(authority)?.groups ?? {};
  if (host === '') return 'The host name is missing.';
  if (/[,;]/.test(host)) return 'Enter each URL separately, without commas or semicolons.';
  if (port !== '' && !(/^\d+$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535)) {
    return 'The port must be a number between 1 and 65535.';
  }
  return isHost(URL.parse(value)?.hostname) ? undefined : 'The host name is not valid.';
}

/**
 * Returns true if browsers can look up a host. Stricter than URL parsing, which also accepts names with empty or
 * unusual labels.
 */
const isHost = (host = ''): boolean => /^(?:\[.+\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?)$/.test(host);

/**
 * Normalises a URL's scheme and host as browsers and libraries send them (RFC 3986 §6.2.2.1, RFC 5890): lower case,
 * and `xn--` for other scripts. The rest stays unchanged, because redirect URIs are compared exactly.
 */
export function normalUrl(value: string): string {
  const [, scheme = '', rest = value] = /^([a-z][a-z0-9+.-]*:)(.*)$/is.exec(value) ?? [];
  const lowerCase = scheme.toLowerCase();
  const [, authority, path = ''] = /^\/\/([^/?#]*)(.*)$/s.exec(rest) ?? [];
  const host = /^https?:$/.test(lowerCase) ? URL.parse(value)?.hostname : undefined;
  if (!host || authority === undefined) return `${lowerCase}${rest}`;
  const port = /:(\d+)$/.exec(authority)?.[1];
  return `${lowerCase}//${host}${port === undefined ? '' : `:${Number(port)}`}${path}`;
}

/**
 * A URL field that rejects an invalid URL with the reason, and stores the URL as normalised by `normalUrl`.
 * @param ownPath paths on the portal itself that are also accepted, for files that don't know the portal's origin
 */
export function urlField(schemes: UrlSchemes, ownPath?: RegExp) {
  const problemOf = (value: string) => {
    if (ownPath && /^\/(?!\/)/.test(value)) return ownPath.test(value) ? undefined : INVALID_URL;
    return urlProblem(value, schemes);
  };
  return z
    .string(INVALID_URL)
    .trim()
    .min(1, { error: FIELD_REQUIRED, abort: true })
    .max(MAX_LENGTH, `At most ${MAX_LENGTH} characters`)
    .superRefine((value, context) => {
      const message = problemOf(value);
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    })
    .overwrite(normalUrl);
}

export const URL_REPEATED = 'This URL is already in the list.';

/** A list of URLs without duplicates. */
export function urlList<Url extends z.ZodType<string>>(url: Url) {
  return z
    .array(url)
    .max(50, 'At most 50 URLs')
    .superRefine((urls, context) => {
      for (const [at, one] of urls.entries()) {
        if (urls.indexOf(one) === at) continue;
        context.addIssue({ code: 'custom', path: [at], message: URL_REPEATED });
      }
    });
}
