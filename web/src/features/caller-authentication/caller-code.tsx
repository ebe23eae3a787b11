import {
  Box,
  Button,
  Center,
  chakra,
  Flex,
  Grid,
  Heading,
  Skeleton,
  Spinner,
  Text,
  VisuallyHidden,
} from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { LIMITS, type ReplyOf, startVerbal, verbalLive } from '@orchestrate/shared';
import { Check, PhoneCall, RefreshCw, ShieldX } from 'lucide-react';
import { type ReactNode, useState } from 'react';
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

/** The steps of a verification. */
const STEPS: { title: string; text: string }[] = [
  {
    title: t`Read the code out`,
    text: t`It has eight characters, works for one caller and expires within minutes.`,
  },
  {
    title: t`The caller types it`,
    text: t`They choose Type code in the authenticator on a registered device.`,
  },
  {
    title: t`You see who it is`,
    text: t`The caller must consent first. Otherwise, nothing is revealed.`,
  },
];

/** Draws a line from a step's number to the next one's. */
const JOINED_TO_NEXT = {
  '&:not(:last-child)::after': {
    content: '""',
    position: 'absolute',
    insetStart: '3.5',
    top: '8',
    bottom: '-5',
    w: '1px',
    bg: 'border.emphasized',
  },
} as const;

interface CallerFrameProps {
  /** Index of the current step; undefined before the first, the number of steps after the last. */
  current?: number;
  children: ReactNode;
}

/** The steps of a verification, and next to them the present one: the code, or the result. */
export function CallerFrame({ current, children }: CallerFrameProps) {
  return (
    <Section isFlush>
      <Grid templateColumns={{ base: 'minmax(0, 1fr)', sm: '18rem minmax(0, 1fr)', md: '20rem minmax(0, 1fr)' }}>
        <chakra.ol
          aria-label={t`Steps`}
          display="flex"
          flexDirection="column"
          gap="6"
          p="6"
          bg="bg.subtle"
          borderEndWidth={{ sm: '1px' }}
          borderBottomWidth={{ base: '1px', sm: '0' }}
          listStyleType="none"
        >
          {STEPS.map(({ title, text }, at) => {
            const isPresent = at === current;
            const isDone = current !== undefined && at < current;
            return (
              <chakra.li
                key={title}
                aria-current={isPresent ? 'step' : undefined}
                position="relative"
                display="flex"
                gap="3.5"
                css={JOINED_TO_NEXT}
              >
                <Center
                  aria-hidden
                  boxSize="7"
                  flexShrink="0"
                  borderRadius="full"
                  textStyle="sm"
                  fontWeight="semibold"
                  {...(isPresent || isDone
                    ? { bg: 'brand.solid', color: 'brand.contrast' }
                    : { bg: 'brand.subtle', color: 'brand.fg' })}
                >
                  {isDone ? <Check size={16} strokeWidth={2.5} /> : at + 1}
                </Center>
                <Flex direction="column" gap="0.5" pt="0.5">
                  <Text fontWeight="semibold">
                    {title}
                    {isDone && <VisuallyHidden> {t`completed`}</VisuallyHidden>}
                  </Text>
                  <Text textStyle="sm" color="fg.muted" textWrap="pretty">
                    {text}
                  </Text>
                </Flex>
              </chakra.li>
            );
          })}
        </chakra.ol>
        <Flex direction="column" gap="6" minW="0" p="6">
          {children}
        </Flex>
      </Grid>
    </Section>
  );
}

/** The sentence that staff say to the caller before they read out the code. */
export function Script() {
  return (
    <Flex as="blockquote" gap="3" align="center">
      <Center boxSize="7" flexShrink="0" borderRadius="full" bg="bg.muted" color="fg.muted">
        <PhoneCall size={16} strokeWidth={1.75} aria-hidden />
      </Center>
      <Text fontWeight="medium">{t`“Open your authenticator, choose ‘Type code’, and type what I read to you.”`}</Text>
    </Flex>
  );
}

/**
 * Displays a code for reading aloud, with large characters in two groups and the spelling word below each character.
 * @param props.code undefined displays the boxes of a code that isn't generated yet
 */
export function SpokenCode({ code }: { code?: string }) {
  const characters = code ?? ' '.repeat(LIMITS.typedCodeLength);
  return (
    <Flex
      dir="ltr"
      {...(code && { role: 'img', 'aria-label': t`Code for the caller: ${[...code].join(' ')}` })}
      wrap="wrap"
      columnGap="8"
      rowGap="4"
    >
      {[characters.slice(0, HALF), characters.slice(HALF)].map((group, at) => (
        <Flex key={at} gap="2">
          {[...group].map((character, at) => (
            <Flex key={at} direction="column" align="center" w={{ base: '18', sm: '16', md: '18' }} gap="1.5">
              <chakra.code
                display="flex"
                alignItems="center"
                justifyContent="center"
                w="full"
                h="20"
                borderWidth="1px"
                borderStyle={code ? 'solid' : 'dashed'}
                borderRadius="l2"
                bg={code && 'bg.subtle'}
                textStyle="code"
                fontSize="4xl"
                fontWeight="semibold"
                lineHeight="none"
              >
                {character}
              </chakra.code>
              <Text textStyle="xs" color="fg.muted" minH="4.5">
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
      <CallerFrame current={0}>
        <RefusalState refusal={refusal} onRetry={renew} />
      </CallerFrame>
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
    <CallerFrame current={state.step === 'consenting' ? 2 : 0}>
      <Script />
      <Flex direction="column" gap="5" alignSelf="flex-start" maxW="full">
        <RenewableCode isExpired={isExpired} label={t`Get a new code`} onRenew={onRenew} isPending={isRenewing}>
          <SpokenCode code={verbal.code} />
        </RenewableCode>
        <CountdownBar countdown={countdown} />
        {/* As wide as the code, even if its words would need more room. */}
        <Flex align="center" gap="3" minH="9" w="0" minW="full" wrap="wrap">
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
              <Flex align="center" ms="auto">
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
    </CallerFrame>
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
    <CallerFrame current={2}>
      <Flex
        role="alert"
        gap="4"
        p="5"
        borderRadius="l2"
        colorPalette="danger"
        bg="colorPalette.subtle"
        animationStyle="appear"
      >
        <Center boxSize="10" flexShrink="0" borderRadius="full" bg="colorPalette.solid" color="colorPalette.contrast">
          <ShieldX size={20} aria-hidden />
        </Center>
        <Box>
          <Heading as="h2" size="lg" color="colorPalette.fg">
            {t`Consent Denied`}
          </Heading>
          <Text>{t`The caller declined to confirm. Treat this caller as unverified.`}</Text>
        </Box>
      </Flex>
      <Button alignSelf="flex-start" onClick={onAgain} loading={isPending} loadingText={t`Try another code`}>
        {t`Try another code`}
      </Button>
    </CallerFrame>
  );
}

function CodeSkeleton() {
  return (
    <CallerFrame current={0}>
      <Script />
      <Flex role="status" aria-label={t`Loading code`} direction="column" gap="5" alignSelf="flex-start" maxW="full">
        <Box aria-hidden>
          <SpokenCode />
        </Box>
        <Skeleton h="1" />
        <Skeleton h="5" my="2" w="72" />
      </Flex>
    </CallerFrame>
  );
}
