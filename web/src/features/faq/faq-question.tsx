import { Box, chakra, Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { FaqRecord } from '@orchestrate/shared';
import { ChevronDown } from 'lucide-react';
import { CopyButton } from '../../ui/copy-button.tsx';
import { RichText } from '../../ui/rich-text/rich-text.tsx';
import { MarkedText } from './marked-text.tsx';

interface FaqQuestionProps {
  record: FaqRecord;
  isOpen: boolean;
  words: readonly string[];
  /** The exact path to this question. */
  address: string;
  onToggle: () => void;
}

/** A question that opens its answer. */
export function FaqQuestion({
  record: { recordId, question, answer },
  isOpen,
  words,
  address,
  onToggle,
}: FaqQuestionProps) {
  return (
    <Box as="li" id={recordId} borderTopWidth="1px" scrollMarginTop="20">
      <chakra.h4>
        <chakra.button
          type="button"
          id={`${recordId}-question`}
          aria-expanded={isOpen}
          aria-controls={isOpen ? `${recordId}-answer` : undefined}
          onClick={onToggle}
          display="flex"
          alignItems="flex-start"
          justifyContent="space-between"
          gap="4"
          w="full"
          minH="12"
          px="5"
          py="3.5"
          textAlign="start"
          fontWeight="medium"
          cursor="pointer"
          outline="0"
          focusVisibleRing="inside"
          _hover={{ bg: 'bg.subtle' }}
        >
          <chakra.span minW="0" overflowWrap="anywhere">
            <MarkedText text={question} words={words} />
          </chakra.span>
          <Box
            pt="0.5"
            color="fg.muted"
            flexShrink="0"
            transition="transform 150ms"
            transform={isOpen ? 'rotate(180deg)' : undefined}
          >
            <ChevronDown size={16} aria-hidden />
          </Box>
        </chakra.button>
      </chakra.h4>
      {isOpen && (
        <Flex
          id={`${recordId}-answer`}
          gap={{ base: '1', xs: '4' }}
          px="5"
          pb={{ base: '3', xs: '5' }}
          direction={{ base: 'column', xs: 'row' }}
          align={{ base: 'stretch', xs: 'flex-end' }}
        >
          <Box minW="0" flex="1">
            <RichText html={answer} marked={words} />
          </Box>
          <CopyButton text={address} label={t`Copy link to this question`} size="xs" alignSelf="flex-end" />
        </Flex>
      )}
    </Box>
  );
}
