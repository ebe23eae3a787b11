import { Box, Button, chakra, Grid, type HTMLChakraProps } from '@chakra-ui/react';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { useIsDesktop } from '#lib/browser/use-media.ts';
import { Section } from '#ui/list/section.tsx';

interface TwoPanesProps {
  list: ReactNode;
  /** Details of the selected item; undefined if no item is selected. */
  chosen: ReactNode | undefined;
  /** Shown if no item is selected. */
  empty: ReactNode;
  /** Button that returns to the list on a phone. */
  back: { label: string; onBack: () => void };
}

/** A list next to the details of its selected item. On a phone, only one of the two is visible at a time. */
export function TwoPanes({ list, chosen, empty, back }: TwoPanesProps) {
  const isDesktop = useIsDesktop();
  return (
    <Grid
      gap="5"
      alignItems="start"
      templateColumns={{ base: 'minmax(0, 1fr)', sm: '19rem minmax(0, 1fr)', md: '22rem minmax(0, 1fr)' }}
    >
      {(isDesktop || !chosen) && list}
      {(isDesktop || chosen) && (
        <Box minW="0">
          {!isDesktop && (
            <Button variant="ghost" size="sm" mb="3" onClick={back.onBack}>
              <ArrowLeft />
              {back.label}
            </Button>
          )}
          <Section>{chosen ?? empty}</Section>
        </Box>
      )}
    </Grid>
  );
}

interface RowButtonProps extends HTMLChakraProps<'button'> {
  isOpen: boolean;
  onOpen: () => void;
}

/** A list row that opens its details. Outlined in forced-colours mode, which overrides backgrounds. */
export function RowButton({ isOpen, onOpen, css, ...style }: RowButtonProps) {
  return (
    <chakra.button
      type="button"
      aria-current={isOpen ? 'true' : undefined}
      onClick={onOpen}
      w="full"
      px="5"
      textAlign="start"
      borderBottomWidth="1px"
      cursor="pointer"
      outline="0"
      focusVisibleRing="inside"
      _hover={{ bg: 'bg.muted' }}
      css={[CHOSEN, css]}
      {...style}
    />
  );
}

const CHOSEN = {
  '&[aria-current]': { bg: 'brand.subtle', _highContrast: { outline: '3px solid Highlight', outlineOffset: '-3px' } },
} as const;
