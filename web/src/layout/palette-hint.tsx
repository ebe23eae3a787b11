import { Box, chakra, IconButton, Kbd } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Search } from 'lucide-react';

const Trigger = chakra('button', {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '2.5',
    minW: { base: '50', md: '60' },
    flexShrink: '0',
    _icon: { flexShrink: '0' },
    whiteSpace: 'nowrap',
    h: '9',
    ps: '3',
    pe: '2',
    borderRadius: 'l2',
    borderWidth: '1px',
    bg: 'bg.panel',
    color: 'fg.muted',
    cursor: 'pointer',
    outline: '0',
    transition: 'border-color 120ms',
    focusVisibleRing: 'outside',
    _hover: { borderColor: 'border.emphasized' },
  },
});

const isMac = () => /mac|iphone|ipad/i.test(navigator.userAgent);

/** Says that there is a palette, and opens it. */
export function PaletteHint({ onOpen }: { onOpen: () => void }) {
  return (
    <>
      <Trigger type="button" onClick={onOpen} aria-keyshortcuts="Control+K Meta+K" hideBelow="sm">
        <Search size={16} aria-hidden />
        <Box as="span" flex="1" textAlign="start">
          {t`Find anything`}
        </Box>
        <Kbd aria-hidden>{isMac() ? '⌘ K' : t`Ctrl K`}</Kbd>
      </Trigger>
      <IconButton variant="ghost" aria-label={t`Find anything`} onClick={onOpen} hideFrom="sm">
        <Search />
      </IconButton>
    </>
  );
}
