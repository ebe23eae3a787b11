import { chakra, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Section } from '#ui/list/section.tsx';

/** A sentence of the contract: text `like this` in it is code, **like this** is strong. */
export function Worded({ text }: { text: string }) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part, index) => {
    // The parts of a sentence never change their places.
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

export const LAB_IS_CLOSED = t`This needs the lab, which is closed here.`;

/** In the place of a form that could send nothing. @param why as a sentence */
export function NotTried({ why }: { why: string }) {
  return (
    <Section title={t`Try it`}>
      <Text color="fg.muted">{why}</Text>
    </Section>
  );
}
