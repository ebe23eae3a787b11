import { Box } from '@chakra-ui/react';
import { linkObstacle, listStart, RICH_TEXT_TAGS } from '@orchestrate/shared';
import DOMPurify from 'dompurify';
import { useLayoutEffect, useRef } from 'react';
import { richTextStyles } from './rich-text-styles.ts';
import { markMatches } from './text-in-html.ts';

/**
 * Converts rich text to read-only nodes, sanitising the stored HTML again. Links to forbidden addresses become plain
 * text, and all other links open in a new tab.
 */
export function readableAnswer(html: string): DocumentFragment {
  const fragment = DOMPurify.sanitize(html, {
    ALLOWED_TAGS: [...RICH_TEXT_TAGS],
    ALLOWED_ATTR: ['href', 'start'],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
  for (const list of fragment.querySelectorAll('[start]')) {
    if (!list.matches('ol') || !listStart(list.getAttribute('start'))) list.removeAttribute('start');
  }
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

interface RichTextProps {
  html: string;
  /** Words to highlight, e.g. search terms. */
  marked?: readonly string[];
}

/** Read-only rich text, rendered from sanitised nodes rather than from HTML. */
export function RichText({ html, marked = NOTHING }: RichTextProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const answer = readableAnswer(html);
    markMatches(answer, marked);
    box.current?.replaceChildren(answer);
  }, [html, marked]);
  return <Box ref={box} css={richTextStyles} />;
}

const NOTHING: readonly string[] = [];
