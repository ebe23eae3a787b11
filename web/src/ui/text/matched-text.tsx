import { chakra } from '@chakra-ui/react';
import { LIMITS, plainText } from '@orchestrate/shared';

interface MatchedTextProps {
  text: string;
  /** Search that found the text. Undefined or empty for no highlights. */
  search: string | undefined;
}

/** A text in which the words of a search are highlighted. */
export function MatchedText({ text, search }: MatchedTextProps) {
  if (!search) return text;
  return splitByMatches(text, search).map((part, at) =>
    part.isMatch ? (
      <chakra.mark
        key={at}
        bg="brand.muted"
        // Greyed-out text would be hard to read on the highlight.
        color="fg"
        borderRadius="2px"
        _highContrast={{ bg: 'Mark', color: 'MarkText' }}
      >
        {part.text}
      </chakra.mark>
    ) : (
      part.text
    ),
  );
}

export interface TextPart {
  text: string;
  isMatch: boolean;
}

/**
 * Splits a text at the words of a search, which match without regard to case and accents. Words that are too short to
 * search for match only at the beginning of a word.
 */
export function splitByMatches(text: string, search: string): TextPart[] {
  const { plain, origins } = plainWithOrigins(text);
  const isMatched = new Set<number>();
  for (const word of plainText(search).split(/\s+/u).filter(Boolean)) {
    const isShort = [...word].length < LIMITS.searchMinLength;
    for (let at = plain.indexOf(word); at !== -1; at = plain.indexOf(word, at + 1)) {
      if (isShort && /[\p{L}\p{N}]/u.test(plain.charAt(at - 1))) continue;
      for (const origin of origins.slice(at, at + word.length)) isMatched.add(origin);
    }
  }
  const parts: TextPart[] = [];
  for (const [at, character] of charactersOf(text).entries()) {
    const last = parts.at(-1);
    const isMatch = isMatched.has(at);
    if (last?.isMatch === isMatch) last.text += character;
    else parts.push({ text: character, isMatch });
  }
  return parts;
}

/** Splits a text into characters, each with the accents that follow it. */
const charactersOf = (text: string): string[] => text.match(/\P{M}\p{M}*|\p{M}+/gu) ?? [];

/** Returns the text without case and accents, and for each of its units the index of the character it comes from. */
function plainWithOrigins(text: string): { plain: string; origins: number[] } {
  const origins: number[] = [];
  const plain = charactersOf(text).map((character, at) => {
    const written = plainText(character);
    for (let unit = 0; unit < written.length; unit += 1) origins.push(at);
    return written;
  });
  return { plain: plain.join(''), origins };
}
