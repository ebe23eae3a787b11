/**
 * What an answer of the FAQ may be made of: the editor writes it, the server keeps only it, the reader's browser checks
 * it again. `href` of a link is the only attribute that may be written; the server adds how it opens.
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
  'a',
] as const;

/**
 * Hosts to which no link may lead, nor to anything below them (spec 2 §5: 'some hosts blocked'): those that hide where a
 * link leads in the end, and two that stand for what an organisation would add (decision 087).
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
 * Why a link may not lead to an address, as a sentence for people; undefined where it may. Only `http:` and `https:`
 * are addresses at all, and none hides its host behind a user name.
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
