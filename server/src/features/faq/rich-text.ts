import { linkObstacle, listStart, RICH_TEXT_TAGS } from '@orchestrate/shared';
import type { IOptions, Transformer } from 'sanitize-html';

/**
 * Elements left out together with their contents: these aren't text, or browsers parse them by rules other than HTML's.
 */
const TAKEN_WHOLE = [
  ...['script', 'style', 'noscript', 'template', 'title', 'textarea', 'xmp', 'plaintext', 'noembed', 'noframes'],
  ...['iframe', 'object', 'embed', 'applet', 'svg', 'math', 'audio', 'video', 'canvas', 'select', 'option'],
];

/** Maximum nesting depth of an answer; deeper content is left out. */
const DEPTH = 20;

/**
 * A link opens separately from the portal and learns nothing about it; a link with a forbidden target loses its
 * address.
 */
const link: Transformer = (tagName, { href = '' }) => {
  if (linkObstacle(href) !== undefined) return { tagName, attribs: {} };
  const attribs = { href: new URL(href.trim()).href, target: '_blank', rel: 'noopener noreferrer nofollow' };
  return { tagName, attribs };
};

const numbered: Transformer = (tagName, attributes) => {
  const start = listStart(attributes.start);
  const attribs: Record<string, string> = start ? { start } : {};
  return { tagName, attribs };
};

const OPTIONS: IOptions = {
  allowedTags: [...RICH_TEXT_TAGS],
  allowedAttributes: { a: ['href', 'target', 'rel'], ol: ['start'] },
  allowedSchemes: ['http', 'https'],
  allowProtocolRelative: false,
  nonTextTags: TAKEN_WHOLE,
  nestingLimit: DEPTH,
  parseStyleAttributes: false,
  // Only the text remains of a link without an address. Transforming it into a tag that is not allowed would close its
  // neighbour with that tag (sanitize-html 2.18).
  exclusiveFilter: ({ tag, attribs }) => tag === 'a' && !attribs.href && 'excludeTag',
  transformTags: { a: link, ol: numbered, b: 'strong', i: 'em', h1: 'h2', h4: 'h3' },
};

/**
 * Rich text reduced to what an answer may contain (`RICH_TEXT_TAGS`), with safe links only. Sanitising it again changes
 * nothing.
 */
export async function sanitiseRichText(html: string): Promise<string> {
  const { default: sanitise } = await import('sanitize-html');
  return sanitise(html.toWellFormed(), OPTIONS).trim();
}

/** Whether sanitised rich text shows nothing. */
export function isBlank(html: string): boolean {
  return /^[\s\p{Cf}]*$/u.test(html.replace(/<[^>]*>/g, ''));
}
