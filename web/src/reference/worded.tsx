import { chakra, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Section } from '#ui/list/section.tsx';

/** A sentence from the contract, with `code` and **strong** text. */
export function ContractSentence({ text }: { text: string }) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part, index) => {
    // The index is a safe key, because the order of a sentence's fragments never changes.
    const key = `${index} ${part}`;
    if (part.startsWith('`')) {
      return (
        <chakra.code key={key} textStyle="code" fontSize="0.92em" overflowWrap="anywhere">
          {part.slice(1, -1)}
        </chakra.code>
      );
    }
    return part.startsWith('**') ? <strong key={key}>{part.slice(2, -2)}</strong> : part;
  });
}

export const LAB_UNAVAILABLE = t`The lab isn't available on this portal.`;

/** Replaces the form of an operation that can't be tried. @param why reason, as a full sentence */
export function TryUnavailable({ why }: { why: string }) {
  return (
    <Section title={t`Try it`}>
      <Text color="fg.muted">{why}</Text>
    </Section>
  );
}
