import { linkObstacle, RICH_TEXT_TAGS } from '@orchestrate/shared';
import DOMPurify from 'dompurify';

/**
 * Rich text as nodes that can only be read: what is not allowed in it is left out here once more, whatever was stored.
 * Links that may not lead where they want to are but their words; all others open a page of their own.
 */
export function readableAnswer(html: string): DocumentFragment {
  const fragment = DOMPurify.sanitize(html, {
    ALLOWED_TAGS: [...RICH_TEXT_TAGS],
    ALLOWED_ATTR: ['href'],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
  for (const link of fragment.querySelectorAll('a')) {
    if (linkObstacle(link.getAttribute('href') ?? '')) {
      link.replaceWith(...link.childNodes);
      continue;
    }
    link.target = '_blank';
    link.rel = 'noopener noreferrer nofollow';
  }
  return fragment;
}

const BLOCK_ENDS = /<\/(?:p|h2|h3|li|pre|blockquote)>|<br\s*\/?>/gi;

/** The words of rich text, those of neighbouring paragraphs apart. */
export function wordsOf(html: string): string {
  const text = readableAnswer(html.replace(BLOCK_ENDS, '$& ')).textContent;
  return text.replace(/\s+/g, ' ').trim();
}
