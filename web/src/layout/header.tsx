import { Box, Flex, IconButton } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { Profile } from '@orchestrate/shared';
import { Menu as MenuIcon, Moon, Sun } from 'lucide-react';
import { useColourMode } from '../lib/browser/colour-mode.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { Breadcrumbs } from './breadcrumbs.tsx';
import { PaletteHint } from './palette-hint.tsx';
import { ProfileMenu } from './profile-menu.tsx';

interface HeaderProps {
  profile: Profile;
  onOpenMenu: () => void;
  onOpenPalette: () => void;
}

export function Header({ profile, onOpenMenu, onOpenPalette }: HeaderProps) {
  const { mode, toggle } = useColourMode();
  return (
    <Flex
      as="header"
      position="sticky"
      top="notice"
      zIndex="header"
      align="center"
      gap={{ base: '1', sm: '3' }}
      h="header"
      px={{ base: '3', sm: '8' }}
      bg="bg.panel"
      borderBottomWidth="1px"
    >
      <IconButton variant="ghost" aria-label={t`Open menu`} onClick={onOpenMenu} hideFrom="sm">
        <MenuIcon />
      </IconButton>
      <Box flex="1" minW="0">
        <Breadcrumbs />
      </Box>
      <PaletteHint onOpen={onOpenPalette} />
      <ActionButton label={mode === 'dark' ? t`Light mode` : t`Dark mode`} size="md" onClick={toggle}>
        {mode === 'dark' ? <Sun /> : <Moon />}
      </ActionButton>
      <ProfileMenu profile={profile} />
    </Flex>
  );
}
