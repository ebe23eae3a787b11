import { Box, Button, chakra, Flex, Heading, Spinner, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { SECOND, verbalLive } from '@orchestrate/shared';
import { BadgeCheck, ClockAlert } from 'lucide-react';
import { Link, Navigate, useLocation } from 'react-router-dom';
import { encodeMemberSegment } from '../../lib/address/member-segment.ts';
import { useLive } from '../../lib/api/use-live.ts';
import { formatDateTime } from '../../lib/format/dates.ts';
import { useCan, useSession } from '../../lib/session/session.ts';
import { useCountdown } from '../../lib/time/use-countdown.ts';
import { usePrimaryAttribute } from '../../members/use-primary-attribute.ts';
import { paths } from '../../paths.ts';
import { InitialsAvatar } from '../../ui/initials-avatar.tsx';
import { Section } from '../../ui/section.tsx';
import { callerPaths, nextVerification, readVerification } from './caller-address.ts';
import { type Caller, callerState } from './caller-state.ts';

/**
 * Who the caller is. The portal is asked again, so that a reload shows it but the browser's history does not contain
 * it.
 */
export function CallerConfirmed() {
  const { state } = useLocation();
  const verification = readVerification(state);
  const org = useSession()?.orgId ?? '';
  const { message, connection } = useLive(verbalLive, verification ? { ...verification, org } : null);
  if (!verification || connection === 'closed') return <Navigate to={callerPaths.intro} replace />;
  if (!message) {
    return (
      <Section>
        <Flex role="status" aria-label={t`Loading`} justify="center" py="20">
          <Spinner size="lg" color="brand.line" />
        </Flex>
      </Section>
    );
  }
  const present = callerState(message, false);
  if (present.step !== 'confirmed') return <Navigate to={callerPaths.intro} replace />;
  return <CallerCard caller={present.caller} toldAt={message.timestamp} />;
}

interface CallerCardProps {
  caller: Caller;
  /** The portal's time when it said so, ISO 8601. */
  toldAt: string;
}

function CallerCard({ caller, toldAt }: CallerCardProps) {
  const { fullName, email, primaryAttr, suid, deviceName, confirmedAt, trustedUntil } = caller;
  const trustedFor = (Date.parse(trustedUntil) - Date.parse(toldAt)) / SECOND;
  const isTrusted = !useCountdown(Math.max(0, trustedFor), trustedUntil).isExpired;
  const canOpen = useCan('SEARCH_USER');
  const facts = [
    [t`Email`, email],
    [usePrimaryAttribute(), primaryAttr],
    [t`Confirmed on`, deviceName],
  ] as const;
  return (
    <Flex
      direction="column"
      colorPalette={isTrusted ? 'success' : 'warning'}
      bg="bg.panel"
      borderWidth="1px"
      borderColor="colorPalette.border"
      borderRadius="l3"
      overflow="hidden"
      animationStyle="appear"
    >
      <Flex align="center" gap="3" px="6" py="4" bg="colorPalette.subtle" color="colorPalette.fg" role="status">
        {isTrusted ? <BadgeCheck size={22} aria-hidden /> : <ClockAlert size={22} aria-hidden />}
        <Box>
          <Text fontWeight="semibold">{isTrusted ? t`Caller confirmed` : t`This was confirmed too long ago`}</Text>
          <Text textStyle="sm">
            {isTrusted
              ? t`On ${formatDateTime(confirmedAt)}. Rely on it until ${formatDateTime(trustedUntil)}.`
              : t`On ${formatDateTime(confirmedAt)}. Authenticate the caller again before you rely on it.`}
          </Text>
        </Box>
      </Flex>
      <Flex direction="column" gap="6" px="6" py="6">
        <Flex align="center" gap="4">
          <InitialsAvatar name={fullName} size="lg" />
          <Heading as="h2" size="xl" overflowWrap="anywhere">
            <bdi>{fullName}</bdi>
          </Heading>
        </Flex>
        <chakra.dl
          display="grid"
          gridTemplateColumns={{ base: 'minmax(0, 1fr)', xs: 'repeat(3, minmax(0, 1fr))' }}
          columnGap="8"
          rowGap="4"
        >
          {facts.map(([name, value]) => (
            <Flex key={name} direction="column" gap="0.5" minW="0">
              <chakra.dt textStyle="sm" color="fg.muted" _firstLetter={{ textTransform: 'uppercase' }}>
                {name}
              </chakra.dt>
              <chakra.dd fontWeight="medium" overflowWrap="anywhere">
                <bdi>{value}</bdi>
              </chakra.dd>
            </Flex>
          ))}
        </chakra.dl>
        <Flex gap="2.5" colorPalette="brand" wrap="wrap">
          <Button asChild>
            <Link to={callerPaths.generate} state={nextVerification()}>
              {isTrusted ? t`Authenticate another caller` : t`Authenticate the caller again`}
            </Link>
          </Button>
          {canOpen && (
            <Button asChild variant="outline">
              <Link to={paths.member(encodeMemberSegment({ primaryAttr, suid, fullName }))}>{t`Open member`}</Link>
            </Button>
          )}
        </Flex>
      </Flex>
    </Flex>
  );
}
