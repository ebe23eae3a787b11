import { Box, Button, chakra, Flex, Heading, Spinner, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { SECOND, verbalLive } from '@orchestrate/shared';
import { BadgeCheck, ClockAlert } from 'lucide-react';
import { Link, Navigate, useLocation, useNavigate, useParams } from 'react-router-dom';
import { usePrimaryAttribute } from '#features/members/shared/names.ts';
import { encodeMemberSegment } from '#lib/address/member-address.ts';
import { useLive } from '#lib/api/use-live.ts';
import { formatDateTime } from '#lib/format/dates.ts';
import { useCan, useSession } from '#lib/session/session.ts';
import { useCountdown } from '#lib/time/timers.ts';
import { paths } from '#paths.ts';
import { InitialsAvatar } from '#ui/text/initials-avatar.tsx';
import { Page, PageHeader } from '#ui/text/page-header.tsx';
import { callerPaths, newVerification, readVerification } from './caller-address.ts';
import { CallerCode, CallerFrame, Script, SpokenCode } from './caller-code.tsx';
import { type Caller, callerState } from './caller-state.ts';

/**
 * Shows the confirmed caller. Fetches the result from the portal again, because the browser's history must not store
 * personal data but a reload must still show the caller.
 */
function CallerConfirmed() {
  const { state } = useLocation();
  const verification = readVerification(state);
  const org = useSession()?.orgId ?? '';
  const { message, connection } = useLive(verbalLive, verification ? { ...verification, org } : null);
  if (!verification || connection === 'closed') return <Navigate to={callerPaths.intro} replace />;
  if (!message) {
    return (
      <CallerFrame current={3}>
        <Flex role="status" aria-label={t`Loading`} justify="center" py="20">
          <Spinner size="lg" color="brand.line" />
        </Flex>
      </CallerFrame>
    );
  }
  const present = callerState(message, false);
  if (present.step !== 'confirmed') return <Navigate to={callerPaths.intro} replace />;
  return <CallerCard caller={present.caller} portalTime={message.timestamp} />;
}

interface CallerCardProps {
  caller: Caller;
  /** Portal time of the result, in ISO 8601 format. */
  portalTime: string;
}

function CallerCard({ caller, portalTime }: CallerCardProps) {
  const { fullName, email, primaryAttr, suid, deviceName, confirmedAt, trustedUntil } = caller;
  const trustedFor = (Date.parse(trustedUntil) - Date.parse(portalTime)) / SECOND;
  const isTrusted = !useCountdown(Math.max(0, trustedFor), trustedUntil).isExpired;
  const canOpen = useCan('SEARCH_USER');
  const facts = [
    [t`Email`, email],
    [usePrimaryAttribute(), primaryAttr],
    [t`Confirmed with`, deviceName],
  ] as const;
  return (
    <CallerFrame current={3}>
      <Flex direction="column" gap="6" animationStyle="appear">
        <Flex
          role="status"
          align="center"
          gap="3"
          px="4"
          py="3"
          borderRadius="l2"
          colorPalette={isTrusted ? 'success' : 'warning'}
          bg="colorPalette.subtle"
          color="colorPalette.fg"
        >
          {isTrusted ? <BadgeCheck size={22} aria-hidden /> : <ClockAlert size={22} aria-hidden />}
          <Box>
            <Text fontWeight="semibold">{isTrusted ? t`Caller confirmed` : t`This confirmation is too old`}</Text>
            <Text textStyle="sm">
              {isTrusted
                ? t`Confirmed on ${formatDateTime(confirmedAt)}. Valid until ${formatDateTime(trustedUntil)}.`
                : t`Confirmed on ${formatDateTime(confirmedAt)}. Authenticate the caller again before you rely on this confirmation.`}
            </Text>
          </Box>
        </Flex>
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
        <Flex gap="2.5" wrap="wrap">
          <Button asChild>
            <Link to={callerPaths.generate} state={newVerification()}>
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
    </CallerFrame>
  );
}

/** Starts the verification. The empty code is where the code will be. */
function CallerIntro() {
  const navigate = useNavigate();
  return (
    <CallerFrame>
      <Script />
      <Box aria-hidden maxW="full">
        <SpokenCode />
      </Box>
      <Button
        size="lg"
        alignSelf="flex-start"
        onClick={() => void navigate(callerPaths.generate, { state: newVerification() })}
      >
        {t`Generate`}
      </Button>
    </CallerFrame>
  );
}

/** Verifies a caller. Staff read a code aloud, and the caller consents in the authenticator (spec 1 §§1, 2). */
export default function AuthenticateCallerScreen() {
  const { '*': step = '' } = useParams();
  return (
    <Page width="text">
      <title>{t`Authenticate Caller · Orchestrate`}</title>
      <PageHeader
        title={t`Authenticate Caller`}
        description={t`Find out who is on the phone: you read out a code, and the caller confirms it in the authenticator.`}
      />
      <Step step={step} />
    </Page>
  );
}

function Step({ step }: { step: string }) {
  switch (step) {
    case '':
      return <CallerIntro />;
    case 'generate':
      return <CallerCode />;
    case 'success':
      return <CallerConfirmed />;
    default:
      return <Navigate to={callerPaths.intro} replace />;
  }
}
