/** First path segments that the server itself handles. All other pages are the client's. */
export const SERVER_SEGMENTS = [
  'api',
  'ws',
  'oidc',
  'saml',
  'scim',
  'logos',
  'logout',
  'openapi.json',
  '.well-known',
] as const;

/** First path segments of pages that don't belong to an organisation and need no sign-in. */
export const PUBLIC_SEGMENTS = ['access-denied', 'static', 'authenticator', 'lab', 'setup', 'demo', 'docs'] as const;

/** First path segments of pages that require sign-in (spec 1 §2). */
export const PRIVATE_SEGMENTS = [
  'dashboard',
  'authenticate-caller',
  'manage-users',
  'direct-reports',
  'org-settings',
  'applications',
  'my-applications',
  'faq',
] as const;

/** Second path segments of an organisation's public pages. The sign-in page also has the address without one. */
export const ORG_PAGES: ReadonlySet<string> = new Set(['sign-in', 'sign-up', 'faq']);

/** Path segment for the built client's files. */
export const ASSETS_SEGMENT = 'assets';

/**
 * First path segments that can't be used as an organisation code, because the organisation's sign-in page would be
 * unreachable.
 */
export const RESERVED_SEGMENTS: ReadonlySet<string> = new Set([
  ...SERVER_SEGMENTS,
  ...PUBLIC_SEGMENTS,
  ...PRIVATE_SEGMENTS,
  ASSETS_SEGMENT,
]);

/** A route of the client with the built files that its screen needs, as indexes into a list of all files. */
export interface ScreenFiles {
  /** Path pattern, e.g. `/manage-users/:id` or `/lab/*`. */
  path: string;
  code: number[];
  /** Message catalogues by language. */
  words: Record<string, number[]>;
  /** Data that the screen reads first. */
  reads: readonly unknown[];
}

/** An endpoint in the API reference, as in `/docs/endpoints.json`. */
export interface EndpointSummary {
  /** Name in the reference's URL. */
  id: string;
  method: string;
  /** Path below `/api`, with parameters as `{name}`. */
  path: string;
  area: string;
  summary: string;
}

/** Returns the screen that a path opens. Screens with more specific patterns come first. */
export function screenAt<Screen extends Pick<ScreenFiles, 'path'>>(
  screens: readonly Screen[],
  path: string,
): Screen | undefined {
  const segments = segmentsOf(path);
  return screens.find(({ path: pattern }) => {
    const wanted = segmentsOf(pattern);
    const isOpen = wanted.at(-1) === '*';
    const parts = isOpen ? wanted.slice(0, -1) : wanted;
    if (!isOpen && parts.length !== segments.length) return false;
    return parts.every((part, at) => part === segments[at] || (part.startsWith(':') && segments[at] !== undefined));
  });
}

const segmentsOf = (path: string): string[] => path.replace(/\/+$/, '').split('/').slice(1);
