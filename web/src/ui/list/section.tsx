import { Box, Center, chakra, Flex, Heading, Text } from '@chakra-ui/react';
import { ChevronRight } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Link as RouterLink } from 'react-router-dom';

interface SectionProps {
  /** Fragment of the URL that scrolls to this section. */
  id?: string;
  title?: string | undefined;
  /** Accessible name of a card without a title, because the page's title says it already. */
  label?: string;
  /** What the section is for, in one sentence below the title. */
  description?: string | undefined;
  /** Content next to the title: a link, a refresh button or a time. */
  aside?: ReactNode;
  /** Removes the padding around the content, for tables and lists. */
  isFlush?: boolean;
  /** True for settings: where there is room, the title and the description are next to the card. */
  isBeside?: boolean;
  children: ReactNode;
}

const card = { bg: 'bg.panel', borderWidth: '1px', borderRadius: 'l3', overflow: 'hidden' } as const;

/** Room that a section needs to display its title next to its card. */
const BESIDE = '@container (width >= 56rem)';

const beside = {
  [BESIDE]: {
    display: 'grid',
    gridTemplateColumns: '{sizes.64} minmax(0, 1fr)',
    columnGap: '8',
    bg: 'transparent',
    borderWidth: '0',
    borderRadius: '0',
    overflow: 'visible',
    '& > div:first-of-type': {
      flexDirection: 'column',
      flexWrap: 'nowrap',
      alignItems: 'flex-start',
      justifyContent: 'flex-start',
      rowGap: '3',
      px: '0',
      borderBottomWidth: '0',
      '& > *': { flex: 'none' },
    },
    '& > div:last-of-type': card,
  },
} as const;

/** A card with an optional title. */
export function Section({
  id,
  title,
  label,
  description,
  aside,
  isFlush = false,
  isBeside = false,
  children,
}: SectionProps) {
  const titleId = useId();
  return (
    <Box
      as="section"
      id={id}
      display="grid"
      minW="0"
      scrollMarginTop="calc({sizes.header} + {spacing.4})"
      aria-labelledby={title ? titleId : undefined}
      aria-label={title ? undefined : label}
      containerType={isBeside ? 'inline-size' : undefined}
    >
      <Flex direction="column" minW="0" {...card} css={isBeside ? beside : undefined}>
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
            {/* Next to a button, a description wraps before the button does. */}
            <Box maxW="full" py="1.5" flex={description && aside ? '1 1 9rem' : undefined}>
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
    </Box>
  );
}

const row = { flex: '1', minW: '0', alignItems: 'center', gap: '3.5', px: '5', py: '2.5', minH: '16' } as const;

const RowLink = chakra(RouterLink, {
  base: {
    ...row,
    display: 'flex',
    outline: '0',
    focusVisibleRing: 'inside',
    transition: 'background-color 120ms',
    _hover: { bg: 'bg.subtle' },
  },
});

interface SectionRowProps {
  /** URL that the row links to. Undefined if there is nothing to open. */
  to: string | undefined;
  image: ReactNode;
  title: string;
  text: string;
  /** Number of objects behind the link. */
  count?: string | undefined;
}

/** An item of a list that fills a section. Items share the height of the section. */
export function SectionRow({ to, image, title, text, count }: SectionRowProps) {
  const content = (
    <>
      {image}
      <Box flex="1" minW="0">
        <Text fontWeight="medium" overflowWrap="anywhere">
          {title}
        </Text>
        <Text textStyle="sm" color="fg.muted" overflowWrap="anywhere">
          {text}
        </Text>
      </Box>
      {count && (
        <Text fontWeight="semibold" fontVariantNumeric="tabular-nums">
          {count}
        </Text>
      )}
    </>
  );
  return (
    <chakra.li display="flex" flex="1" maxH="24" borderTopWidth="1px" _first={{ borderTopWidth: '0' }}>
      {to === undefined ? (
        <Flex {...row}>{content}</Flex>
      ) : (
        <RowLink to={to}>
          {content}
          <Center color="fg.subtle" flexShrink="0">
            <ChevronRight size={16} aria-hidden />
          </Center>
        </RowLink>
      )}
    </chakra.li>
  );
}

interface SectionRowsProps {
  /** True in a section as wide as the page: two items next to each other. */
  isWide?: boolean;
  children: ReactNode;
}

/** A list of `SectionRow` items. */
export function SectionRows({ isWide = false, children }: SectionRowsProps) {
  if (!isWide)
    return (
      <chakra.ul display="flex" flexDirection="column" h="full" listStyleType="none">
        {children}
      </chakra.ul>
    );
  return (
    <chakra.ul
      display="grid"
      gridTemplateColumns={{ base: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' }}
      listStyleType="none"
      css={{
        '& > li': {
          sm: { '&:nth-of-type(2)': { borderTopWidth: '0' }, '&:nth-of-type(even)': { borderStartWidth: '1px' } },
        },
      }}
    >
      {children}
    </chakra.ul>
  );
}
