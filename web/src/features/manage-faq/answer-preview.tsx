import { Box, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { RichText } from '../../ui/rich-text/rich-text.tsx';

/** The answer as its readers will see it: anything hidden from them is hidden here too. */
export function AnswerPreview({ html }: { html: string }) {
  return (
    <Box
      role="region"
      aria-label={t`Preview`}
      tabIndex={0}
      minH="40"
      maxH="96"
      overflowY="auto"
      p="4"
      borderWidth="1px"
      borderRadius="l2"
      outline="0"
      focusVisibleRing="outside"
    >
      {html === '' ? <Text color="fg.muted">{t`Nothing written yet.`}</Text> : <RichText html={html} />}
    </Box>
  );
}
