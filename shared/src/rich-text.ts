/**
 * Elements allowed in an FAQ answer. The editor writes and the server stores only these elements, and the reader's
 * browser checks again. The only allowed attributes are `href` on a link and `start` on an `ol`; the server adds the
 * attributes that control how a link opens.
 */
export const RICH_TEXT_TAGS = [
  'p',
  'br',
  'h2',
  'h3',
  'strong',
  'em',
  'u',
  'ul',
  'ol',
  'li',
  'blockquote',
  'code',
  'pre',
  'table',
  'tbody',
  'tr',
  'th',
  'td',
  'a',
] as const;

/**
 * Returns the `start` value to store for an `ol`: 2 to 999. Returns undefined for anything else, including the
 * default 1.
 */
export function listStart(value: string | null | undefined): string | undefined {
  return value && /^[1-9]\d{0,2}$/.test(value) && value !== '1' ? value : undefined;
}

/**
 * Hosts that links can't point to, including all their subdomains (spec 2 §5: 'some hosts blocked'): hosts that hide
 * a link's target, and two examples of hosts that an organisation would add (decision 085).
 */
export const BLOCKED_LINK_HOSTS = [
  'bit.ly',
  'cutt.ly',
  'goo.gl',
  'is.gd',
  'ow.ly',
  'rb.gy',
  't.co',
  'tinyurl.com',
  'example-phishing.com',
  'malicious-site.net',
] as const;

export const LINK_MESSAGE = 'Please enter a valid URL starting with http:// or https://';

/**
 * Returns an error message if a link to a URL isn't allowed, otherwise undefined. Accepts only `http:` and `https:`,
 * and no user name, which could disguise the host.
 */
export function linkObstacle(address: string): string | undefined {
  const trimmed = address.trim();
  if (!/^https?:\/\//i.test(trimmed) || !URL.canParse(trimmed)) return LINK_MESSAGE;
  const { hostname, username, password } = new URL(trimmed);
  if (username || password) return LINK_MESSAGE;
  const host = hostname.replace(/\.$/, '');
  const isBlocked = BLOCKED_LINK_HOSTS.some((blocked) => host === blocked || host.endsWith(`.${blocked}`));
  return isBlocked ? `Links to ${host} are not allowed` : undefined;
}
