import { Box, chakra, Flex, IconButton, Kbd, Link, VisuallyHidden } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { getOrgSettings, getProfile, type Profile } from '@orchestrate/shared';
import { Menu as MenuIcon, Moon, Search, Sun } from 'lucide-react';
import { Suspense, useEffect, useRef, useState } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { type Middleware, SWRConfig } from 'swr';
import { now } from '#adapters/browser.ts';
import { clearPathNames } from '#lib/address/path-names.ts';
import { useModal } from '#lib/address/use-modal.ts';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { useRead } from '#lib/api/use-read.ts';
import { applyBrand } from '#lib/brand/brand.ts';
import { useColourMode } from '#lib/browser/colour-mode.ts';
import { useFocusRecovery } from '#lib/browser/focus.ts';
import { lazyPart, loadPart } from '#lib/browser/lazy-part.ts';
import { isScarce, newFilesOf, preloadFile } from '#lib/browser/preload-screens.ts';
import { useFreshPage, useSectionTarget } from '#lib/browser/use-fresh-page.ts';
import { isMac, useHasRoomForAdministration } from '#lib/browser/use-media.ts';
import { useAnnouncement } from '#lib/notices/announce.ts';
import { type Session, updateProfile, useSession } from '#lib/session/session.ts';
import { ActionButton } from '#ui/feedback/action-button.tsx';
import { switchToLanguageOf } from '#words/language.ts';
import { Breadcrumbs } from './breadcrumbs.tsx';
import { addFailingRead, FreshnessNote } from './freshness/freshness-note.tsx';
import { menu, visibleMenu } from './menu.ts';
import { Modals } from './modals.tsx';
import { ProfileMenu } from './profile-menu.tsx';
import { LoadingPage, ScreenBoundary } from './screen-boundary.tsx';
import { useShortcuts } from './shortcuts.ts';
import { MenuDrawer, Sidebar } from './sidebar.tsx';

/** Arrival time of each response, in Unix milliseconds. */
const arrivals = new WeakMap<object, number>();

function noteArrival<Answer>(answer: Answer): Answer {
  if (typeof answer === 'object' && answer !== null) arrivals.set(answer, now());
  return answer;
}

/**
 * Returns the arrival time of the oldest displayed response (a list has one response per page). An edited copy has no
 * arrival time, so returns the current time for it.
 */
function arrivalOf(shown: unknown): number | undefined {
  if (shown === undefined) return undefined;
  const parts: unknown[] = Array.isArray(shown) ? shown : [shown];
  const times = parts.map((part) => (typeof part === 'object' && part !== null ? arrivals.get(part) : undefined));
  return Math.min(...times.map((time) => time ?? now()));
}

/** Returns true if a retry could succeed because the portal was unreachable, busy or failing. */
const isTransient = (failure: unknown) =>
  failure instanceof ApiRefusal && (failure.status === 0 || failure.status === 429 || failure.status >= 500);

/** SWR middleware that tracks failing reads of the visible screen. */
const watchReads: Middleware = (useNext) => (key, fetcher, config) => {
  const timed = fetcher && (async (...input: Parameters<typeof fetcher>) => noteArrival(await fetcher(...input)));
  const read = useNext(key, timed as typeof fetcher, config);
  const { data, mutate } = read;
  const isFailing = isTransient(read.error);
  useEffect(() => {
    if (isFailing) return addFailingRead({ readAt: arrivalOf(data), again: () => void mutate() });
  }, [isFailing, data, mutate]);
  return read;
};

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

/** Header button that opens the command palette. */
function PaletteButton({ onOpen }: { onOpen: () => void }) {
  return (
    <>
      <Trigger type="button" onClick={onOpen} aria-keyshortcuts="Control+K Meta+K /" hideBelow="sm">
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

interface HeaderProps {
  profile: Profile;
  onOpenMenu: () => void;
  onOpenPalette: () => void;
}

function Header({ profile, onOpenMenu, onOpenPalette }: HeaderProps) {
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
      <PaletteButton onOpen={onOpenPalette} />
      <ActionButton label={mode === 'dark' ? t`Light mode` : t`Dark mode`} size="md" onClick={toggle}>
        {mode === 'dark' ? <Sun /> : <Moon />}
      </ActionButton>
      <ProfileMenu profile={profile} />
    </Flex>
  );
}

/** Loads the organisation's settings and applies its colour. */
function useOwnOrganisation(orgId: string) {
  const { data } = useRead(getOrgSettings, { query: { code: orgId } });
  const colour = data?.color;
  useEffect(() => {
    if (colour) applyBrand(orgId, colour);
  }, [orgId, colour]);
  return data;
}

const CommandPalette = lazyPart(() => import('./command-palette.tsx'));

const WATCHED = { use: [watchReads] };

/** Layout of the private area. */
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
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  const organisation = useOwnOrganisation(orgId);
  const main = useFreshPage(screenKey);
  useSectionTarget(main);
  useFocusRecovery(main);
  useFreshProfile();
  // biome-ignore lint/correctness/useExhaustiveDependencies: clears the names when the user changes.
  useEffect(() => clearPathNames, [profile.suid]);
  // Load the toasts early, so that errors can be displayed even if the portal becomes unreachable.
  useEffect(() => void loadPart(() => import('#ui/feedback/toast-region.tsx')), []);

  const hasRoom = useHasRoomForAdministration();
  const groups = visibleMenu(menu, profile, hasRoom);
  const { open: openModal } = useModal();
  const palette = useShortcuts(groups, () => openModal('shortcuts'));
  const paths = useRef<string[]>([]);
  paths.current = groups.flatMap(({ items }) => items.flatMap(({ to }) => to ?? []));
  useEffect(() => preloadWhenIdle(paths.current), []);

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
          {/* Outside of the key, so that the present screen stays until the code of the next one is loaded. */}
          <Suspense fallback={<LoadingPage />}>
            <ScreenBoundary key={screenKey} isInside>
              <Outlet />
            </ScreenBoundary>
          </Suspense>
        </Flex>
      </Flex>
      <Announcement />
      <Box position="absolute">
        <Modals />
        {palette.wasOpened && (
          <Suspense>
            <CommandPalette isOpen={palette.isOpen} onClose={palette.close} profile={profile} groups={groups} />
          </Suspense>
        )}
      </Box>
    </Flex>
  );
}

function Announcement() {
  return <VisuallyHidden aria-live="polite">{useAnnouncement()}</VisuallyHidden>;
}

/** Refreshes the user's profile from the server, because the role or language may have changed since sign-in. */
function useFreshProfile() {
  const { data } = useRead(getProfile, {});
  const profile = data?.profile;
  const isFirst = useRef(true);
  useEffect(() => {
    if (!profile) return;
    updateProfile(profile);
    // Apply the language only on startup, because changing it reloads the page and would discard input.
    if (isFirst.current) switchToLanguageOf(profile);
    isFirst.current = false;
  }, [profile]);
}

/**
 * Returns the React key for a path's screen. All tabs of an application share a key, because they are saved together.
 */
function screenKeyOf(pathname: string): string {
  return pathname.startsWith('/applications/') ? pathname.split('/', 3).join('/') : pathname;
}

/** How long the first screen's data has the connection to itself, in milliseconds. */
const IDLE_AFTER_MS = 1_000;

/**
 * Loads the files of screens one after another when the first screen is complete, so that moving to these screens only
 * requests their data. Doesn't load them if the user saves data or the connection is very slow. Returns a function that
 * stops it.
 */
function preloadWhenIdle(paths: readonly string[]): () => void {
  const stopped = new AbortController();
  const loadAll = async () => {
    for (const path of isScarce() ? [] : paths) {
      for (const href of newFilesOf(path)) {
        if (stopped.signal.aborted) return;
        const { promise, resolve } = Promise.withResolvers<unknown>();
        const link = preloadFile(href, 'low');
        link.onload = resolve;
        link.onerror = resolve;
        await promise;
      }
    }
  };
  const timer = setTimeout(() => void loadAll(), IDLE_AFTER_MS);
  stopped.signal.addEventListener('abort', () => clearTimeout(timer));
  return () => stopped.abort();
}
