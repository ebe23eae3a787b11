import { Box, Flex, Heading, Text } from '@chakra-ui/react';
import { type ReactNode, useId } from 'react';

interface SectionProps {
  /** Fragment of the URL that scrolls to this section. */
  id?: string;
  title?: string | undefined;
  /** What the section is for, in one sentence below the title. */
  description?: string | undefined;
  /** Content next to the title: a link, a refresh button or a time. */
  aside?: ReactNode;
  /** Removes the padding around the content, for tables and lists. */
  isFlush?: boolean;
  children: ReactNode;
}

/** A card with an optional title. */
export function Section({ id, title, description, aside, isFlush = false, children }: SectionProps) {
  const titleId = useId();
  return (
    <Flex
      as="section"
      direction="column"
      id={id}
      scrollMarginTop="calc({sizes.header} + {spacing.4})"
      aria-labelledby={title ? titleId : undefined}
      bg="bg.panel"
      borderWidth="1px"
      borderRadius="l3"
      overflow="hidden"
      minW="0"
    >
      {title && (
        <Flex
          align="center"
          justify="space-between"
          wrap="wrap"
          columnGap="4"
          rowGap="1"
          minH="13"
          px="5"
          py="2"
          borderBottomWidth="1px"
        >
          <Box maxW="full" py="1.5">
            <Heading as="h2" id={titleId} size="sm">
              {title}
            </Heading>
            {description && (
              <Text textStyle="xs" color="fg.muted">
                {description}
              </Text>
            )}
          </Box>
          {aside}
        </Flex>
      )}
      <Box flex="1" p={isFlush ? '0' : '5'}>
        {children}
      </Box>
    </Flex>
  );
}
