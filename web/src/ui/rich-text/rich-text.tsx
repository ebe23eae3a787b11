import { Box } from '@chakra-ui/react';
import { useLayoutEffect, useRef } from 'react';
import { markMatches } from './mark-matches.ts';
import { readableAnswer } from './readable-answer.ts';
import { richTextStyles } from './rich-text-styles.ts';

interface RichTextProps {
  html: string;
  /** Words to mark, e.g. those of a search. */
  marked?: readonly string[];
}

/** Read-only rich text. It is rendered from sanitised nodes, never from HTML that the page parses. */
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
