import { Box, Button, chakra, Grid, type HTMLChakraProps } from '@chakra-ui/react';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { useIsDesktop } from '#lib/browser/use-media.ts';
import { Section } from '#ui/list/section.tsx';

interface TwoPanesProps {
  list: ReactNode;
  /** What is chosen from the list; undefined where nothing is. */
  chosen: ReactNode | undefined;
  /** In the place of what is chosen while nothing is. */
  empty: ReactNode;
  /** On a phone: the button that goes back to the list. */
  back: { label: string; onBack: () => void };
}

/** A list with what is chosen from it beside it; one at a time on a phone. */
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

/** The row of a list that opens beside it: outlined where a system's own colours replace backgrounds. */
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
