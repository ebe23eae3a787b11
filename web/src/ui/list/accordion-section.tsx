import { Box, chakra, Flex } from '@chakra-ui/react';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';

interface AccordionSectionProps {
  title: string;
  /** Short summary of the section's content. */
  hint?: string;
  /** True to show the summary next to the title instead of below it. */
  isOneLine?: boolean;
  isOpenAtFirst?: boolean;
  /** Removes the padding around the content, for tables and lists. */
  isFlush?: boolean;
  /** True if the content has errors, which opens the section. */
  hasErrors?: boolean;
  /** `group` for content that consists of cards. */
  look?: 'card' | 'group';
  children: ReactNode;
}

const ONE_LINE = { align: 'baseline', wrap: 'wrap', columnGap: '3' } as const;

/** A card that expands and collapses. */
export function AccordionSection(props: AccordionSectionProps) {
  const { title, hint, isOneLine = false, isFlush = false, isOpenAtFirst = false, hasErrors, look, children } = props;
  const id = useId();
  const [isChosenOpen, setIsChosenOpen] = useState(isOpenAtFirst);
  const isOpen = isChosenOpen || hasErrors === true;
  return (
    <Box as="section" aria-labelledby={`${id}-title`} borderRadius="l3" minW="0" bg="bg.panel" borderWidth="1px">
      <chakra.h2>
        <chakra.button
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? `${id}-panel` : undefined}
          onClick={() => setIsChosenOpen(!isOpen)}
          display="flex"
          alignItems="center"
          gap="3"
          w="full"
          minH="13"
          px="5"
          py="2"
          textAlign="start"
          borderRadius="l3"
          cursor="pointer"
          outline="0"
          focusVisibleRing="inside"
        >
          <Flex {...(isOneLine ? ONE_LINE : { direction: 'column' })} flex="1" minW="0">
            <chakra.span id={`${id}-title`} fontWeight="semibold">
              {title}
            </chakra.span>
            {hint && (
              <chakra.span textStyle={isOneLine ? 'sm' : 'xs'} color="fg.muted">
                {hint}
              </chakra.span>
            )}
          </Flex>
          <Box color="fg.muted" transform={isOpen ? 'rotate(180deg)' : undefined} transition="transform 150ms">
            <ChevronDown size={16} aria-hidden />
          </Box>
        </chakra.button>
      </chakra.h2>
      {isOpen && (
        <Box
          id={`${id}-panel`}
          p={isFlush ? '0' : '5'}
          borderTopWidth="1px"
          {...(look === 'group' && { display: 'flex', flexDirection: 'column', gap: '5' })}
        >
          {children}
        </Box>
      )}
    </Box>
  );
}
