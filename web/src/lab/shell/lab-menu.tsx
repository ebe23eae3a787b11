import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { readFaults, readOutboxFaults, readSocketFaults, readWebhookFaults } from '@orchestrate/shared';
import {
  BookOpenText,
  Camera,
  Clock,
  Inbox,
  KeyRound,
  LayoutGrid,
  type LucideIcon,
  RefreshCw,
  Smartphone,
  Unplug,
  Users,
  WandSparkles,
  Webhook,
  Workflow,
  Zap,
} from 'lucide-react';
import { useEffect, useRef } from 'react';
import { NavLink, useLocation } from 'react-router-dom';
import { labPaths } from '../lab-paths.ts';
import { useLiveRead } from '../lab-updates.tsx';
import { useOpenRequests } from '../people/use-open-requests.ts';

interface LabItem {
  to: string;
  label: string;
  icon: LucideIcon;
}

const GROUPS: readonly { heading: string; items: readonly LabItem[] }[] = [
  {
    heading: t`Observe`,
    items: [
      { to: labPaths.outbox, label: t`Outbox`, icon: Inbox },
      { to: labPaths.requests, label: t`Requests`, icon: Smartphone },
      { to: labPaths.journal, label: t`Journal`, icon: BookOpenText },
    ],
  },
  {
    heading: t`People and devices`,
    items: [
      { to: labPaths.people, label: t`People`, icon: Users },
      { to: labPaths.phones, label: t`Policies`, icon: Workflow },
    ],
  },
  {
    heading: t`Failures`,
    items: [
      { to: labPaths.faults, label: t`Faults`, icon: Zap },
      { to: labPaths.sockets, label: t`Sockets`, icon: Unplug },
      { to: labPaths.deliveries, label: t`Deliveries`, icon: Webhook },
      { to: labPaths.magic, label: t`Magic addresses`, icon: WandSparkles },
    ],
  },
  {
    heading: t`Time and data`,
    items: [
      { to: labPaths.clock, label: t`Clock`, icon: Clock },
      { to: labPaths.worlds, label: t`Worlds`, icon: Camera },
      { to: labPaths.spaces, label: t`Spaces`, icon: LayoutGrid },
    ],
  },
  {
    heading: t`Tools`,
    items: [
      { to: labPaths.tokens, label: t`Tokens`, icon: KeyRound },
      { to: labPaths.provisioning, label: t`Provisioning`, icon: RefreshCw },
    ],
  },
];

/** Returns the number of pending requests and faults by section path. */
function useWaiting(): Partial<Record<string, number>> {
  const { requests } = useOpenRequests();
  const faults = useLiveRead(readFaults, {}).data?.faults;
  const socketFaults = useLiveRead(readSocketFaults, {}).data?.faults;
  const webhookFaults = useLiveRead(readWebhookFaults, {}).data?.faults ?? [];
  const outboxFaults = useLiveRead(readOutboxFaults, {}).data?.faults ?? [];
  return {
    [labPaths.requests]: requests?.length,
    [labPaths.faults]: faults?.length,
    [labPaths.sockets]: socketFaults?.length,
    [labPaths.deliveries]: webhookFaults.length + outboxFaults.length,
  };
}

const Row = chakra(NavLink, {
  base: {
    position: 'relative',
    display: 'flex',
    alignItems: 'center',
    gap: '3',
    h: { base: '9.5', sm: '8' },
    px: '3',
    borderRadius: 'l2',
    color: 'fg.muted',
    fontWeight: 'medium',
    whiteSpace: 'nowrap',
    outline: '0',
    transition: 'background-color 120ms, color 120ms',
    focusVisibleRing: 'outside',
    _hover: { bg: 'bg.muted', color: 'fg' },
    _currentPage: {
      bg: 'brand.subtle',
      color: 'fg',
      fontWeight: 'semibold',
      _highContrast: { outline: '3px solid Highlight', outlineOffset: '-3px' },
    },
  },
});

/** The lab menu: at the side, or a scrollable row on small screens. */
export function LabMenu() {
  const { pathname } = useLocation();
  const waiting = useWaiting();
  const nav = useRef<HTMLDivElement>(null);
  // On small screens, the row is wider than the window, so scroll the current section's link into view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another section is another link in view.
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [pathname]);
  return (
    <Flex
      as="nav"
      ref={nav}
      aria-label={t`Lab`}
      direction={{ base: 'row', sm: 'column' }}
      gap={{ base: '0.5', sm: '2' }}
      px="3"
      py={{ base: '2', sm: '2' }}
      overflowX="auto"
      overflowY={{ sm: 'auto' }}
      minH={{ sm: '0' }}
      flex={{ sm: '1' }}
    >
      {GROUPS.map(({ heading, items }) => (
        <Box key={heading} flexShrink="0">
          <Text hideBelow="sm" px="3" pb="1" textStyle="xs" fontWeight="medium" color="fg.subtle">
            {heading}
          </Text>
          <Flex as="ul" direction={{ base: 'row', sm: 'column' }} gap="0.5" listStyleType="none">
            {items.map(({ to, label, icon: Icon }) => (
              <li key={to}>
                <Row to={to} end>
                  <chakra.span hideBelow="sm">
                    <Icon size={18} strokeWidth={1.75} aria-hidden />
                  </chakra.span>
                  {label}
                  <Count of={waiting[to]} />
                </Row>
              </li>
            ))}
          </Flex>
        </Box>
      ))}
    </Flex>
  );
}

function Count({ of }: { of: number | undefined }) {
  if (!of) return null;
  return (
    <chakra.span
      ms="auto"
      minW="5.5"
      px="1.5"
      borderRadius="full"
      bg="bg.emphasized"
      color="fg"
      textStyle="xs"
      fontWeight="semibold"
      textAlign="center"
      fontVariantNumeric="tabular-nums"
    >
      {of}
      <chakra.span srOnly> {t({ message: 'waiting', context: 'so many' })}</chakra.span>
    </chakra.span>
  );
}
