import { chakra } from '@chakra-ui/react';
import { patternOf } from '../../ui/rich-text/mark-matches.ts';

/** A text with the words of a search marked in it. */
export function MarkedText({ text, words }: { text: string; words: readonly string[] }) {
  const pattern = patternOf(words);
  if (!pattern) return text;
  return text.split(pattern).map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      <chakra.mark key={at} bg="warning.muted" color="fg" borderRadius="xs">
        {part}
      </chakra.mark>
    ),
  );
}
