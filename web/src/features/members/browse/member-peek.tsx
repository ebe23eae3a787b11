import { Box, Button, chakra, Flex, Heading, IconButton, Skeleton, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type Device, fullNameOf, getUser, LIMITS, type Member } from '@orchestrate/shared';
import { ArrowDown, ArrowUp, ChevronRight, X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { deviceLabel } from '#features/devices/shared/device-rules.ts';
import { LatestSignIns } from '#features/sign-ins/shared/latest-logins.tsx';
import { useRead } from '#lib/api/use-read.ts';
import { formatDateTime } from '#lib/format/dates.ts';
import { ActionButton } from '#ui/feedback/action-button.tsx';
import { Hint } from '#ui/feedback/hint.tsx';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';
import { StatusBadge } from '#ui/feedback/status-badge.tsx';
import { DeviceIcon } from '#ui/text/device-icon.tsx';
import { InitialsAvatar } from '#ui/text/initials-avatar.tsx';
import { ActivationCodePanel } from '../activation/activation-code-panel.tsx';
import { hasCodeRights } from '../member-rights.ts';
import { isGreyedOut, statusBadge } from '../shared/member-status.ts';
import { useMemberRights } from '../use-member-rights.ts';

interface MemberPeekProps {
  member: Member;
  /** URL of the member's page. */
  to: string;
  /** The list's search parameters, restored if the member is deleted. */
  cameFrom: string;
  /** The organisation's label for its primary attribute. */
  attribute: string;
  /** Place in the list, e.g. '2 of 7'. Undefined if the number of members isn't known. */
  position: string | undefined;
  /** Shows the previous or next member. Undefined at the ends of the list. */
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  onClose: () => void;
}

/** Previews a member beside the list. Arrow keys go to the neighbours, and Escape closes it. */
export function MemberPeek({
  member,
  to,
  cameFrom,
  attribute,
  position,
  onPrevious,
  onNext,
  onClose,
}: MemberPeekProps) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    // Dialogs and menus of the panel are React children of it, but not in its element.
    if (!(event.target instanceof Element) || !event.currentTarget.contains(event.target)) return;
    const actions: Record<string, (() => void) | undefined> = {
      ArrowDown: onNext,
      ArrowUp: onPrevious,
      j: onNext,
      k: onPrevious,
      Escape: onClose,
    };
    if (!Object.hasOwn(actions, event.key)) return;
    event.preventDefault();
    actions[event.key]?.();
  };
  const name = fullNameOf(member);
  const isOff = isGreyedOut(member.accountStatus);
  return (
    <chakra.section
      ref={panel}
      aria-label={t`Preview of ${name}`}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      position="sticky"
      top="calc({sizes.header} + {spacing.4})"
      w={{ base: '20rem', md: '22rem' }}
      flexShrink="0"
      maxH="calc({sizes.view} - {sizes.header} - {spacing.8})"
      overflowY="auto"
      bg="bg.panel"
      borderWidth="1px"
      borderRadius="l3"
      outline="0"
      focusVisibleRing="outside"
    >
      <Flex direction="column" gap="3" p="4" pb="3" position="sticky" top="0" zIndex="1" bg="bg.panel">
        <Flex align="center" gap="1" m="-1.5" mb="0">
          <Hint text={t`Previous member`}>
            <IconButton
              variant="ghost"
              size="xs"
              aria-label={t`Previous member`}
              disabled={!onPrevious}
              onClick={onPrevious}
            >
              <ArrowUp />
            </IconButton>
          </Hint>
          <Hint text={t`Next member`}>
            <IconButton variant="ghost" size="xs" aria-label={t`Next member`} disabled={!onNext} onClick={onNext}>
              <ArrowDown />
            </IconButton>
          </Hint>
          {position && (
            <Text ps="1" textStyle="xs" color="fg.muted" fontVariantNumeric="tabular-nums">
              {position}
            </Text>
          )}
          <ActionButton ms="auto" size="xs" label={t`Close preview`} onClick={onClose}>
            <X />
          </ActionButton>
        </Flex>
        <Flex gap="3" align="center">
          <InitialsAvatar name={name} size="md" isGrey={isOff} />
          <Box minW="0" flex="1">
            <Heading as="h2" size="sm" overflowWrap="anywhere" aria-live="polite">
              {name}
            </Heading>
            <Flex align="center" columnGap="2" wrap="wrap" textStyle="sm" color="fg.muted">
              <StatusBadge {...statusBadge(member.accountStatus)} />
              <span>{member.roleName}</span>
            </Flex>
          </Box>
        </Flex>
        <Button asChild variant="outline" size="sm">
          <Link to={to} state={{ listSearch: cameFrom }}>
            {t`Open full profile`}
            <ChevronRight aria-hidden />
          </Link>
        </Button>
      </Flex>
      <chakra.dl
        display="grid"
        gridTemplateColumns="auto minmax(0, 1fr)"
        columnGap="4"
        rowGap="1.5"
        px="4"
        pb="4"
        textStyle="sm"
        overflowWrap="anywhere"
      >
        <Fact label={t`Email`}>{member.primaryEmail}</Fact>
        <Fact label={attribute}>{member.primaryAttr}</Fact>
        <Fact label={t`Last seen`}>{member.lastSeen ? formatDateTime(member.lastSeen) : t`Never`}</Fact>
      </chakra.dl>
      <Details key={member.suid} member={member} />
    </chakra.section>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <Text as="dt" color="fg.muted">
        {label}
      </Text>
      <dd>{children}</dd>
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box as="section" aria-label={title} borderTopWidth="1px" py="3.5">
      <Heading as="h3" size="xs" px="4" pb="2">
        {title}
      </Heading>
      {children}
    </Box>
  );
}

/** The data that the list doesn't have: the code of a member who needs one, devices and sign-ins. */
function Details({ member }: { member: Member }) {
  const { data, refusal, refetch } = useRead(getUser, { query: { suid: member.suid } });
  const rights = useMemberRights(member);
  const { accountStatus } = member;
  const isNew = accountStatus === 'unregistered' || accountStatus === 'invited';
  if (!data && refusal) return <RefusalState level="h3" refusal={refusal} onRetry={refetch} />;
  if (!data)
    return (
      <Box role="status" aria-label={t`Loading member`} borderTopWidth="1px" p="4">
        <Skeleton h="3" w="24" mb="3" />
        <Skeleton h="9" borderRadius="l2" mb="5" />
        <Skeleton h="3" w="24" mb="3" />
        <Skeleton h="24" borderRadius="l2" />
      </Box>
    );
  const { profile, devices } = data;
  const showsCode = isNew && hasCodeRights(rights, 'mobile');
  return (
    <>
      {showsCode && (
        <Box borderTopWidth="1px" p="4">
          <ActivationCodePanel
            member={profile}
            devices={devices}
            app="mobile"
            rights={rights}
            title={t`Activation code`}
          />
        </Box>
      )}
      <Part title={t`Devices`}>
        <Devices devices={devices} showsCode={showsCode} />
      </Part>
      <Part title={t`Last ${LIMITS.memberLoginHistoryCount} sign-ins`}>
        <Box css={{ '& li': { px: '4', py: '2' } }}>
          <LatestSignIns primaryAttr={member.primaryAttr} count={LIMITS.memberLoginHistoryCount} />
        </Box>
      </Part>
    </>
  );
}

function Devices({ devices, showsCode }: { devices: readonly Device[]; showsCode: boolean }) {
  if (devices.length === 0)
    return (
      <Text px="4" textStyle="sm" color="fg.muted">
        {showsCode ? t`None yet. The code above registers the first one.` : t`No devices yet`}
      </Text>
    );
  return (
    <chakra.ul listStyleType="none" px="4">
      {devices.map((device) => (
        <Flex as="li" key={device.zid} align="center" gap="2.5" py="1" textStyle="sm">
          <DeviceIcon type={device.type} />
          <Text flex="1" minW="0" overflowWrap="anywhere">
            {deviceLabel(device)}
          </Text>
          {device.status === 'paused' && <StatusBadge status={t`Inactive`} tone="warning" />}
        </Flex>
      ))}
    </chakra.ul>
  );
}
