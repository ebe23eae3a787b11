import { Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Section } from '../ui/section.tsx';

export const LAB_IS_CLOSED = t`This needs the lab, which is closed here.`;

/** In the place of a form that could send nothing. @param why as a sentence */
export function NotTried({ why }: { why: string }) {
  return (
    <Section title={t`Try it`}>
      <Text color="fg.muted">{why}</Text>
    </Section>
  );
}
