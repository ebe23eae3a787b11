/**
 * Elements of an FAQ answer: the editor writes and the server stores only these, and the reader's browser checks again.
 * Only the `href` of a link and the `start` of an `ol` are allowed; the server adds how a link opens.
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

/** Returns the `start` of an `ol` to store: 2 to 999; undefined for anything else, and for 1, the default. */
export function listStart(value: string | null | undefined): string | undefined {
  return value && /^[1-9]\d{0,2}$/.test(value) && value !== '1' ? value : undefined;
}

/**
 * Blocked hosts for links, with all their subdomains (spec 2 §5: 'some hosts blocked'): those that hide the target of a
 * link, and two examples of what an organisation would add (decision 085).
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
 * Returns an error message if a link to a URL is not allowed; undefined if it is. Only `http:` and `https:` are
 * accepted, and no user name that would disguise the host.
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
