import { Box, Button, Center, chakra, Flex, Heading, Skeleton, Spinner, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { LIMITS, type ReplyOf, startVerbal, verbalLive } from '@orchestrate/shared';
import { PhoneCall, RefreshCw, ShieldX } from 'lucide-react';
import { useState } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router-dom';
import useSWRImmutable from 'swr/immutable';
import type { ApiRefusal } from '#lib/api/api-refusal.ts';
import { call } from '#lib/api/call.ts';
import { useLive } from '#lib/api/use-live.ts';
import { useSession } from '#lib/session/session.ts';
import { useCountdown } from '#lib/time/timers.ts';
import { CopyButton } from '#ui/feedback/copy-button.tsx';
import { CountdownBar, CountdownText } from '#ui/feedback/countdown.tsx';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';
import { RenewableCode } from '#ui/feedback/renewable.tsx';
import { Section } from '#ui/list/section.tsx';
import { callerPaths, newVerification, readVerification, type Verification } from './caller-address.ts';
import { callerState } from './caller-state.ts';

/** ICAO spelling alphabet, for reading a code aloud. */
const WORDS: Readonly<Record<string, string>> = {
  A: 'Alfa',
  B: 'Bravo',
  C: 'Charlie',
  D: 'Delta',
  E: 'Echo',
  F: 'Foxtrot',
  G: 'Golf',
  H: 'Hotel',
  I: 'India',
  J: 'Juliett',
  K: 'Kilo',
  L: 'Lima',
  M: 'Mike',
  N: 'November',
  O: 'Oscar',
  P: 'Papa',
  Q: 'Quebec',
  R: 'Romeo',
  S: 'Sierra',
  T: 'Tango',
  U: 'Uniform',
  V: 'Victor',
  W: 'Whiskey',
  X: 'X-ray',
  Y: 'Yankee',
  Z: 'Zulu',
  0: 'zero',
  1: 'one',
  2: 'two',
  3: 'three',
  4: 'four',
  5: 'five',
  6: 'six',
  7: 'seven',
  8: 'eight',
  9: 'nine',
};

/** Returns the spelling word for a character, e.g. 'Kilo' for `K`. */
export const spellingOf = (character: string): string => WORDS[character.toUpperCase()] ?? character;

const HALF = LIMITS.typedCodeLength / 2;

/**
 * Displays a code for reading aloud, with large characters in two groups and the spelling word below each character.
 */
function SpokenCode({ code }: { code: string }) {
  return (
    <Flex
      dir="ltr"
      role="img"
      aria-label={t`Code for the caller: ${[...code].join(' ')}`}
      wrap="wrap"
      justify="center"
      columnGap="8"
      rowGap="4"
    >
      {[code.slice(0, HALF), code.slice(HALF)].map((group, at) => (
        <Flex key={at} gap="2">
          {[...group].map((character, at) => (
            <Flex key={at} direction="column" align="center" w="18" gap="1.5">
              <chakra.code
                display="flex"
                alignItems="center"
                justifyContent="center"
                w="full"
                h="20"
                borderWidth="1px"
                borderRadius="l2"
                bg="bg.subtle"
                textStyle="code"
                fontSize="4xl"
                fontWeight="semibold"
                lineHeight="none"
              >
                {character}
              </chakra.code>
              <Text textStyle="xs" color="fg.muted">
                {spellingOf(character)}
              </Text>
            </Flex>
          ))}
        </Flex>
      ))}
    </Flex>
  );
}

// Counts all visits to the screen. The cache outlives each visit, but each visit must fetch the code's remaining
// lifetime.
let rounds = 0;
const nextRound = () => {
  rounds += 1;
  return rounds;
};

/** Fetches a verification's code. The portal returns the same code while the verification is pending. */
function useCallerCode({ epoch }: Verification) {
  const [round] = useState(nextRound);
  const { data, error, isValidating } = useSWRImmutable<ReplyOf<typeof startVerbal>, ApiRefusal>(
    ['caller code', epoch, round],
    () => call(startVerbal, { query: { epoch } }),
    // Keeps the old code visible until the new one arrives.
    { keepPreviousData: true },
  );
  return { verbal: data, refusal: error, isPending: isValidating };
}

/** Follows a code from its creation to the caller's consent. */
function useCallerState({ code, epoch, idTimeout }: { code: string; epoch: string; idTimeout: number }) {
  const org = useSession()?.orgId ?? '';
  const { message, connection } = useLive(verbalLive, { epoch, org });
  const countdown = useCountdown(idTimeout, code);
  return {
    state: callerState(message, countdown.isExpired || connection === 'closed'),
    countdown,
    isReconnecting: connection === 'reconnecting',
  };
}

/** Code width, for eight characters, the gaps between them and the gap between the groups. */
const CODE_WIDTH = '41rem';

/** Sentence for staff to read to the caller. */
const SAY = t`“Open your authenticator, choose ‘Type code’, and type what I read to you.”`;

/** Shows the code for the caller and the verification's state. */
export function CallerCode() {
  const { state } = useLocation();
  const verification = readVerification(state);
  if (!verification) return <Navigate to={callerPaths.generate} replace state={newVerification()} />;
  return <Running verification={verification} />;
}

function Running({ verification }: { verification: Verification }) {
  const navigate = useNavigate();
  const { verbal, refusal, isPending } = useCallerCode(verification);
  /** Starts a new verification. The old code simply expires. */
  const renew = () => void navigate(callerPaths.generate, { replace: true, state: newVerification() });
  if (refusal) {
    return (
      <Section>
        <RefusalState refusal={refusal} onRetry={renew} />
      </Section>
    );
  }
  if (!verbal) return <CodeSkeleton />;
  return <RunningCode key={verbal.epoch} verbal={verbal} isRenewing={isPending} onRenew={renew} />;
}

interface RunningCodeProps {
  verbal: ReplyOf<typeof startVerbal>;
  isRenewing: boolean;
  onRenew: () => void;
}

function RunningCode({ verbal, isRenewing, onRenew }: RunningCodeProps) {
  const { state, countdown, isReconnecting } = useCallerState(verbal);
  if (state.step === 'confirmed') {
    const verification: Verification = { epoch: verbal.epoch };
    return <Navigate to={callerPaths.success} replace state={verification} />;
  }
  if (state.step === 'denied') return <Denied isPending={isRenewing} onAgain={onRenew} />;
  const isExpired = state.step === 'expired';
  return (
    <Section>
      <Flex direction="column" align="center" gap="7" py="6">
        <Flex as="blockquote" align="center" gap="3" px="4" py="3" borderRadius="l2" bg="bg.muted" maxW="full">
          <Box color="fg.muted" flexShrink="0">
            <PhoneCall size={18} strokeWidth={1.75} aria-hidden />
          </Box>
          <Text fontWeight="medium">{SAY}</Text>
        </Flex>
        <RenewableCode isExpired={isExpired} label={t`Get a new code`} onRenew={onRenew} isPending={isRenewing}>
          <SpokenCode code={verbal.code} />
        </RenewableCode>
        <Box w="full" maxW={CODE_WIDTH}>
          <CountdownBar countdown={countdown} />
        </Box>
        <Flex align="center" justify="center" gap="3" minH="9" wrap="wrap">
          <Status step={state.step} isReconnecting={isReconnecting} />
          {!isExpired && (
            <>
              <chakra.span aria-hidden color="fg.muted" hideBelow="xs">
                ·
              </chakra.span>
              <Text color="fg.muted">
                <Trans>
                  Expires in <CountdownText countdown={countdown} />
                </Trans>
              </Text>
              <Flex align="center">
                <CopyButton text={verbal.code} label={t`Copy code`} />
                <Button variant="ghost" size="sm" onClick={onRenew} loading={isRenewing} loadingText={t`Refresh`}>
                  <RefreshCw />
                  {t`Refresh`}
                </Button>
              </Flex>
            </>
          )}
        </Flex>
      </Flex>
    </Section>
  );
}

interface StatusProps {
  step: 'waiting' | 'consenting' | 'expired';
  isReconnecting: boolean;
}

function Status({ step, isReconnecting }: StatusProps) {
  const texts = {
    waiting: t`Waiting for the caller to type the code`,
    consenting: t`Waiting for consent`,
    expired: t`This code has expired.`,
  };
  return (
    <Flex align="center" gap="2.5">
      {step === 'consenting' ? (
        <Spinner size="sm" color="brand.line" />
      ) : (
        step === 'waiting' && <Box boxSize="2.5" borderRadius="full" bg="brand.line" animation="pulse" />
      )}
      <Text role="status" fontWeight={step === 'consenting' ? 'semibold' : 'medium'}>
        {isReconnecting && step !== 'expired' ? t`Reconnecting…` : texts[step]}
      </Text>
    </Flex>
  );
}

function Denied({ isPending, onAgain }: { isPending: boolean; onAgain: () => void }) {
  return (
    <Flex
      direction="column"
      align="center"
      gap="6"
      px="6"
      py="12"
      textAlign="center"
      colorPalette="danger"
      bg="colorPalette.subtle"
      borderWidth="1px"
      borderColor="colorPalette.border"
      borderRadius="l3"
      animationStyle="appear"
    >
      <Center boxSize="16" borderRadius="full" bg="colorPalette.solid" color="colorPalette.contrast">
        <ShieldX size={30} aria-hidden />
      </Center>
      <Flex direction="column" gap="1" align="center" role="alert">
        <Heading as="h2" size="lg" color="colorPalette.fg">
          {t`Consent Denied`}
        </Heading>
        <Text maxW="md" textWrap="balance">
          {t`The caller declined to confirm. Treat this caller as unverified.`}
        </Text>
      </Flex>
      <chakra.span colorPalette="brand">
        <Button onClick={onAgain} loading={isPending} loadingText={t`Try another code`}>
          {t`Try another code`}
        </Button>
      </chakra.span>
    </Flex>
  );
}

function CodeSkeleton() {
  return (
    <Section>
      <Flex role="status" aria-label={t`Loading code`} direction="column" align="center" gap="7" py="6">
        <Skeleton h="12" w="lg" />
        <Skeleton h="26" w="2xl" />
        <Skeleton h="1" w="xl" />
        <Skeleton h="5" my="2" w="72" />
      </Flex>
    </Section>
  );
}
