import { Box, Flex, Link, VisuallyHidden } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { getProfile } from '@orchestrate/shared';
import { Suspense, useEffect, useRef, useState } from 'react';
import { Outlet, useLocation, useNavigate } from 'react-router-dom';
import { SWRConfig } from 'swr';
import { forgetPlaceNames } from '../lib/address/place-names.ts';
import { useModal } from '../lib/address/use-modal.ts';
import { useRead } from '../lib/api/use-read.ts';
import { useColourMode } from '../lib/browser/colour-mode.ts';
import { lazyPart, loadPart } from '../lib/browser/lazy-part.ts';
import { useFreshPage } from '../lib/browser/use-fresh-page.ts';
import { useKeptFocus } from '../lib/browser/use-kept-focus.ts';
import { useHasRoom } from '../lib/browser/use-media.ts';
import { useAnnouncement } from '../lib/notices/announce.ts';
import { type Session, updateProfile, useSession } from '../lib/session/session.ts';
import { speakAs } from '../words/language.ts';
import { commandsFor } from './commands.ts';
import { FreshnessNote } from './freshness/freshness-note.tsx';
import { watchReads } from './freshness/watch-reads.ts';
import { Header } from './header.tsx';
import { LoadingPage } from './loading-page.tsx';
import { menu, visibleMenu } from './menu.ts';
import { Modals } from './modals.tsx';
import { ScreenBoundary } from './screen-boundary.tsx';
import { MenuDrawer, Sidebar } from './sidebar.tsx';
import { useOwnOrganisation } from './use-own-organisation.ts';
import { usePaletteKey } from './use-palette-key.ts';

const CommandPalette = lazyPart(() => import('./command-palette.tsx'));

const WATCHED = { use: [watchReads] };

/** The frame of the private area. */
export default function Shell() {
  const session = useSession();
  return (
    session && (
      <SWRConfig value={WATCHED}>
        <Frame session={session} />
      </SWRConfig>
    )
  );
}

function Frame({ session: { profile, orgId } }: { session: Session }) {
  const screenKey = screenKeyOf(useLocation().pathname);
  const navigate = useNavigate();
  const { toggle: toggleColourMode } = useColourMode();
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  const palette = usePaletteKey();
  const modal = useModal();
  const organisation = useOwnOrganisation(orgId);
  const main = useFreshPage(screenKey);
  useKeptFocus(main);
  useFreshProfile();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another person gets other names.
  useEffect(() => forgetPlaceNames, [profile.suid]);
  // Before it is needed: that the portal cannot be reached must be told too.
  useEffect(() => void loadPart(() => import('../ui/toast-region.tsx')), []);

  const hasRoom = useHasRoom();
  const groups = visibleMenu(menu, profile, hasRoom);
  const commands = commandsFor(profile, groups, {
    hasRoom,
    navigate: (to) => void navigate(to),
    openModal: modal.open,
    toggleColourMode,
  });

  return (
    <Flex flex="1" align="stretch">
      <Link
        href="#content"
        position="fixed"
        top="2"
        insetInlineStart="2"
        zIndex="skipLink"
        px="4"
        py="2"
        bg="bg.panel"
        borderRadius="l2"
        boxShadow="md"
        transform="translateY(-200%)"
        _focusVisible={{ transform: 'none' }}
      >
        {t`Skip to content`}
      </Link>
      <Sidebar groups={groups} organisation={organisation} />
      <MenuDrawer
        groups={groups}
        organisation={organisation}
        isOpen={isMenuOpen}
        onClose={() => setIsMenuOpen(false)}
      />
      <Flex direction="column" flex="1" minW="0">
        <Header profile={profile} onOpenMenu={() => setIsMenuOpen(true)} onOpenPalette={palette.open} />
        <Flex
          as="main"
          id="content"
          ref={main}
          tabIndex={-1}
          direction="column"
          flex="1"
          w="full"
          maxW="content"
          mx="auto"
          px={{ base: '4', sm: '8' }}
          py={{ base: '5', sm: '7' }}
          outline="none"
          scrollMarginTop="{sizes.header}"
        >
          <FreshnessNote />
          <ScreenBoundary key={screenKey} isInside>
            <Suspense fallback={<LoadingPage />}>
              <Outlet />
            </Suspense>
          </ScreenBoundary>
        </Flex>
      </Flex>
      <Announcement />
      <Box position="absolute">
        <Modals />
        {palette.wasOpened && (
          <Suspense>
            <CommandPalette isOpen={palette.isOpen} onClose={palette.close} commands={commands} />
          </Suspense>
        )}
      </Box>
    </Flex>
  );
}

function Announcement() {
  return <VisuallyHidden aria-live="polite">{useAnnouncement()}</VisuallyHidden>;
}

/** Updates the person's data from the server, because a role or the language may have changed since the sign-in. */
function useFreshProfile() {
  const { data } = useRead(getProfile, {});
  const profile = data?.profile;
  const isFirst = useRef(true);
  useEffect(() => {
    if (!profile) return;
    updateProfile(profile);
    // Only as the portal opens: later it would take away what is being typed.
    if (isFirst.current) speakAs(profile);
    isFirst.current = false;
  }, [profile]);
}

/**
 * Identifies the screen of a path: a new key mounts a new screen. The tabs of one application are one screen, since
 * they are saved together.
 */
function screenKeyOf(pathname: string): string {
  return pathname.startsWith('/applications/') ? pathname.split('/', 3).join('/') : pathname;
}
