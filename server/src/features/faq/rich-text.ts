import { linkObstacle, RICH_TEXT_TAGS } from '@orchestrate/shared';
import type { IOptions, Transformer } from 'sanitize-html';

/** What is left out with everything in it: it is no text, or browsers read what is in it by other rules than HTML's. */
const TAKEN_WHOLE = [
  ...['script', 'style', 'noscript', 'template', 'title', 'textarea', 'xmp', 'plaintext', 'noembed', 'noframes'],
  ...['iframe', 'object', 'embed', 'applet', 'svg', 'math', 'audio', 'video', 'canvas', 'select', 'option'],
];

/** How deep an answer may be nested; what lies deeper is left out. */
const DEPTH = 20;

/** A link opens apart from the portal, which it learns nothing about; one that may lead nowhere loses its address. */
const link: Transformer = (tagName, { href = '' }) => {
  if (linkObstacle(href) !== undefined) return { tagName, attribs: {} };
  const attribs = { href: new URL(href.trim()).href, target: '_blank', rel: 'noopener noreferrer nofollow' };
  return { tagName, attribs };
};

const OPTIONS: IOptions = {
  allowedTags: [...RICH_TEXT_TAGS],
  allowedAttributes: { a: ['href', 'target', 'rel'] },
  allowedSchemes: ['http', 'https'],
  allowProtocolRelative: false,
  nonTextTags: TAKEN_WHOLE,
  nestingLimit: DEPTH,
  parseStyleAttributes: false,
  // Of a link without an address only the text stays. To transform it into a tag that is not allowed would close its
  // neighbour with that tag (sanitize-html 2.18).
  exclusiveFilter: ({ tag, attribs }) => tag === 'a' && !attribs.href && 'excludeTag',
  transformTags: { a: link, b: 'strong', i: 'em', h1: 'h2', h4: 'h3' },
};

/**
 * Rich text with nothing in it but what an answer may be made of (`RICH_TEXT_TAGS`), and with links that may be followed.
 * To do it again changes nothing.
 */
export async function sanitiseRichText(html: string): Promise<string> {
  const { default: sanitise } = await import('sanitize-html');
  return sanitise(html.toWellFormed(), OPTIONS).trim();
}

/** Whether sanitised rich text shows anything. */
export function isBlank(html: string): boolean {
  return /^[\s\p{Cf}]*$/u.test(html.replace(/<[^>]*>/g, ''));
}
