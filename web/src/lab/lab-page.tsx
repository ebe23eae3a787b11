import { Box, Button, chakra, Flex, Link, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { readOutbox, resetLab } from '@orchestrate/shared';
import { FlaskConical, Moon, RotateCcw, Smartphone, Sun } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Navigate, Link as RouterLink, useLocation } from 'react-router-dom';
import { useSWRConfig } from 'swr';
import NotFoundPage from '#features/static-pages/not-found-page.tsx';
import { LoadingPage } from '#layout/screen-boundary.tsx';
import { useRead } from '#lib/api/use-read.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { useColourMode } from '#lib/browser/colour-mode.ts';
import { useFocusRecovery } from '#lib/browser/focus.ts';
import { useFreshPage } from '#lib/browser/use-fresh-page.ts';
import { useIsDesktop } from '#lib/browser/use-media.ts';
import { formatDateTimeSeconds } from '#lib/format/dates.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { toast } from '#lib/notices/toaster.ts';
import { useLabTokenFromHash } from '#lib/session/use-lab-token-from-hash.ts';
import { paths } from '#paths.ts';
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx';
import { ActionButton } from '#ui/feedback/action-button.tsx';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';
import { ClockSection } from './clock/clock-section.tsx';
import { useLabClock } from './clock/use-lab-clock.ts';
import { DeliveriesSection } from './deliveries/deliveries-section.tsx';
import { FaultsSection } from './faults/faults-section.tsx';
import { SocketsSection } from './faults/sockets-section.tsx';
import { JournalSection } from './journal/journal-section.tsx';
import { labPaths } from './lab-paths.ts';
import { LabUpdates, useIsPortalGone, useLabUpdates } from './lab-updates.tsx';
import { MagicSection } from './magic/magic-section.tsx';
import { OutboxSection } from './outbox/outbox-section.tsx';
import { PeopleSection } from './people/people-section.tsx';
import { RequestsSection } from './people/requests-section.tsx';
import { PoliciesSection } from './phones/policies-section.tsx';
import { ProvisioningSection } from './provisioning/provisioning-section.tsx';
import { LabMenu } from './shell/lab-menu.tsx';
import { SpacesSection } from './spaces/spaces-section.tsx';
import { TokenForm } from './tokens/token-form.tsx';
import { TokensSection } from './tokens/tokens-section.tsx';
import { WorldsSection } from './worlds/worlds-section.tsx';

function ResetButton() {
  const [isAsking, setIsAsking] = useState(false);
  const { mutate } = useSWRConfig();
  const { run, isPending, refusal } = useWrite(resetLab);
  const reset = async () => {
    try {
      await run({ body: {} });
    } catch {
      return;
    }
    setIsAsking(false);
    toast.success(t`Portal reset`);
    await mutate(() => true);
  };
  return (
    <>
      <Button hideBelow="sm" variant="outline" size="sm" onClick={() => setIsAsking(true)}>
        <RotateCcw />
        {t`Reset the portal`}
      </Button>
      {/* Small screens have room only for an icon, so the label is hidden there. */}
      <ActionButton hideFrom="sm" label={t`Reset the portal`} size="md" onClick={() => setIsAsking(true)}>
        <RotateCcw />
      </ActionButton>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        onConfirm={() => void reset()}
        title={t`Reset the portal?`}
        verb={t`Reset the portal`}
        isDestructive
        isPending={isPending}
        consequences={[
          t`All changes since the portal started will be lost.`,
          t`All users will have to sign in again.`,
          t`Messages, journal, faults, policies and clock will be reset too.`,
        ]}
        error={refusal && resultText(refusal)}
      />
    </>
  );
}

const SECTIONS: Readonly<Record<string, () => React.ReactNode>> = {
  [labPaths.outbox]: OutboxSection,
  [labPaths.requests]: RequestsSection,
  [labPaths.journal]: JournalSection,
  [labPaths.people]: PeopleSection,
  [labPaths.phones]: PoliciesSection,
  [labPaths.faults]: FaultsSection,
  [labPaths.sockets]: SocketsSection,
  [labPaths.deliveries]: DeliveriesSection,
  [labPaths.magic]: MagicSection,
  [labPaths.clock]: ClockSection,
  [labPaths.worlds]: WorldsSection,
  [labPaths.spaces]: SpacesSection,
  [labPaths.tokens]: TokensSection,
  [labPaths.provisioning]: ProvisioningSection,
};

/** Paths of sections whose URL doesn't match their name, for users who type the URL. */
const ALSO: Readonly<Record<string, string>> = {
  [`${paths.lab}/outbox`]: labPaths.outbox,
  [`${paths.lab}/policies`]: labPaths.phones,
};

/** A lab section with a side menu and the header above. */
function LabScreen() {
  const { pathname, search } = useLocation();
  const main = useFreshPage(pathname);
  useFocusRecovery(main);
  const isGone = useIsPortalGone();
  const address = pathname.replace(/\/$/, '');
  const also = ALSO[address];
  if (also) return <Navigate to={`${also}${search}`} replace />;
  const Shown = SECTIONS[address];
  if (!Shown) return <NotFoundPage />;
  return (
    <Flex flex="1" align="stretch" direction={{ base: 'column', sm: 'row' }}>
      <title>{t`Lab · Orchestrate`}</title>
      <Flex
        as="aside"
        aria-label={t`Sections`}
        direction="column"
        position={{ sm: 'sticky' }}
        top="notice"
        order={{ base: 1, sm: 0 }}
        h={{ sm: 'view' }}
        w={{ sm: 'sidebar' }}
        flexShrink="0"
        bg="bg.panel"
        borderEndWidth={{ sm: '1px' }}
        borderBottomWidth={{ base: '1px', sm: '0' }}
      >
        <Title isHiddenBelow />
        <LabMenu />
        <Box hideBelow="sm" p="3" borderTopWidth="1px">
          <Button asChild variant="ghost" w="full" justifyContent="flex-start" gap="3">
            <a href={paths.authenticator} target="_blank" rel="noreferrer">
              <Smartphone aria-hidden />
              {t`Authenticator`}
            </a>
          </Button>
        </Box>
      </Flex>
      <Flex direction="column" flex={{ sm: '1' }} minW="0" display={{ base: 'contents', sm: 'flex' }}>
        <Header />
        <Flex
          as="main"
          ref={main}
          tabIndex={-1}
          order={2}
          direction="column"
          gap="5"
          flex="1"
          w="full"
          maxW="content"
          mx="auto"
          px={{ base: '4', sm: '8' }}
          py={{ base: '5', sm: '7' }}
          outline="none"
        >
          {isGone && (
            <AlertLine>
              {t`The portal isn't responding. It was stopped, or this space has ended. You're seeing the last known state. This page updates once the portal responds again.`}
            </AlertLine>
          )}
          <Shown />
        </Flex>
      </Flex>
    </Flex>
  );
}

interface TitleProps {
  isHiddenBelow?: boolean;
  /** Second line, shown instead of the product name. */
  note?: ReactNode;
}

function Title({ isHiddenBelow = false, note }: TitleProps) {
  return (
    <Flex align="center" gap="3" h="header" px="5" flexShrink="0" {...(isHiddenBelow && { hideBelow: 'sm' })}>
      <Flex
        align="center"
        justify="center"
        boxSize="8"
        borderRadius="l2"
        bg="brand.solid"
        color="brand.contrast"
        flexShrink="0"
      >
        <FlaskConical size={18} aria-hidden />
      </Flex>
      <Box minW="0" lineHeight="short">
        <Text fontWeight="semibold">{t`Lab`}</Text>
        <Text textStyle="xs" color="fg.muted">
          {note ?? t`Orchestrate`}
        </Text>
      </Box>
    </Flex>
  );
}

function Header() {
  const { mode, toggle } = useColourMode();
  const { isReconnecting } = useLabUpdates();
  const isDesktop = useIsDesktop();
  const reconnecting = (
    <Text as="span" role="status" textStyle={{ base: 'xs', sm: 'sm' }} color="warning.fg" fontWeight="medium">
      {isReconnecting && t`Reconnecting…`}
    </Text>
  );
  return (
    <Flex
      as="header"
      position={{ sm: 'sticky' }}
      top="notice"
      zIndex="header"
      align="center"
      gap={{ base: '1', sm: '3' }}
      h="header"
      ps={{ base: '0', sm: '8' }}
      pe={{ base: '3', sm: '8' }}
      bg="bg.panel"
      borderBottomWidth="1px"
      flexShrink="0"
    >
      <chakra.span hideFrom="sm" me="-4">
        {/* On small screens, this text replaces the product name, because the header has no room for both. */}
        <Title note={!isDesktop && isReconnecting ? reconnecting : undefined} />
      </chakra.span>
      <Flex flex="1" minW="0" align="center" gap="3">
        <Box hideBelow="sm">
          <Time />
        </Box>
        {isDesktop && reconnecting}
      </Flex>
      <ResetButton />
      <chakra.span hideFrom="sm">
        <ActionButton label={t`Authenticator`} size="md" asChild>
          <a href={paths.authenticator} target="_blank" rel="noreferrer">
            <Smartphone aria-hidden />
          </a>
        </ActionButton>
      </chakra.span>
      <ActionButton label={mode === 'dark' ? t`Light mode` : t`Dark mode`} size="md" onClick={toggle}>
        {mode === 'dark' ? <Sun /> : <Moon />}
      </ActionButton>
    </Flex>
  );
}

const NOTES = { real: undefined, offset: t`advanced`, frozen: t`frozen` };

/** The portal's time, linked to the clock section. */
function Time() {
  const { clock, present } = useLabClock();
  if (!clock || present === undefined) return null;
  const note = NOTES[clock.mode];
  return (
    <Link asChild variant="plain" whiteSpace="nowrap">
      <RouterLink to={labPaths.clock}>
        <chakra.span textStyle="code" fontSize="sm">
          <chakra.span srOnly>{t`Portal time:`} </chakra.span>
          {formatDateTimeSeconds(present)}
        </chakra.span>
        {note && (
          <chakra.span color="warning.fg" fontWeight="medium">
            {note}
          </chakra.span>
        )}
      </RouterLink>
    </Link>
  );
}

/** `/lab`: the simulation controls. With the lab off, this looks like a missing page. */
export default function LabPage() {
  useLabTokenFromHash();
  const { data, refusal, refetch } = useRead(readOutbox, { query: {} });
  if (data)
    return (
      <LabUpdates>
        <LabScreen />
      </LabUpdates>
    );
  if (!refusal) return <LoadingPage />;
  if (refusal.status === 404) return <NotFoundPage />;
  if (refusal.status === 403) return <TokenForm message={refusal.message} onToken={() => void refetch()} />;
  return <RefusalState refusal={refusal} onRetry={refetch} />;
}
