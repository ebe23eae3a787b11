import { Button, Center, chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { KeyRound, Smartphone, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { QR_PX } from '#theme/tokens.ts';
import { CountdownRing } from '#ui/feedback/countdown.tsx';
import { RenewableCode } from '#ui/feedback/renewable.tsx';
import type { SignInProgress } from './use-sign-in.ts';

/**
 * Size of the QR code including its quiet zone, in pixels. Everything that replaces the code has the same size, so
 * the layout doesn't shift.
 */
const INNER_PX = QR_PX + 24;
const RING_PX = 14;
/** Returns a CSS width that fits narrow phones, where the page padding is 20 px on each side. */
const widthOf = (px: number, inset: number) => `min(${px}px, calc(100vw - ${40 + inset}px))`;

/** Content of the ring: a code or a number. */
export function PanelContent({ children }: { children: ReactNode }) {
  return (
    <Center w={widthOf(INNER_PX, 2 * RING_PX)} aspectRatio="1" animationStyle="appear">
      {children}
    </Center>
  );
}

/** Panel of the same size with a static ring, for a finished sign-in. */
function FinishedPanel({ tone, children }: { tone: 'success' | 'danger'; children: ReactNode }) {
  return (
    <Center
      colorPalette={tone}
      w={widthOf(INNER_PX + 2 * RING_PX, 0)}
      aspectRatio="1"
      borderWidth="4px"
      borderColor="colorPalette.border"
      borderRadius="20px"
    >
      <Center boxSize="32" borderRadius="full" bg="colorPalette.subtle" color="colorPalette.fg" animationStyle="appear">
        {children}
      </Center>
    </Center>
  );
}

function Tick() {
  return (
    <svg viewBox="0 0 24 24" width="64" height="64" fill="none" stroke="currentColor" strokeWidth="2" aria-hidden>
      <chakra.path
        d="M4.5 12.5l5 5 10-11"
        strokeLinecap="round"
        strokeLinejoin="round"
        pathLength={100}
        strokeDasharray="100"
        css={{ transition: 'stroke-dashoffset 320ms ease-out 60ms', '@starting-style': { strokeDashoffset: 100 } }}
      />
    </svg>
  );
}

/** A number to compare, as large as the panel allows. */
export function NumberContent({ number, note }: { number: string; note: ReactNode }) {
  return (
    <PanelContent>
      <Flex direction="column" align="center" gap="1" px="6" textAlign="center">
        <chakra.strong textStyle="code" fontSize="8rem" fontWeight="semibold" lineHeight="none">
          {number}
        </chakra.strong>
        <chakra.span color="fg.muted" textStyle="sm" maxW="full" truncate>
          {note}
        </chakra.span>
      </Flex>
    </PanelContent>
  );
}

interface RequestPanelProps {
  signIn: SignInProgress;
  /** Label of the button over an expired code. */
  renewLabel: string;
  onRenew: () => void;
  isRenewing: boolean;
  children: ReactNode;
}

/** Panel in the middle of a sign-in: a code in its ring, the device that must respond, a tick or a cross. */
export function RequestPanel({ signIn, renewLabel, onRenew, isRenewing, children }: RequestPanelProps) {
  const { state, countdown, deviceName } = signIn;
  if (state === 'success') {
    return (
      <FinishedPanel tone="success">
        <Tick />
      </FinishedPanel>
    );
  }
  if (state === 'rejected' || state === 'refused') {
    return (
      <FinishedPanel tone="danger">
        <X size={56} strokeWidth={1.75} aria-hidden />
      </FinishedPanel>
    );
  }
  return (
    <RenewableCode isExpired={state === 'expired'} label={renewLabel} onRenew={onRenew} isPending={isRenewing}>
      <CountdownRing countdown={countdown}>
        {state === 'pending' && signIn.matchNumber ? (
          <NumberContent number={signIn.matchNumber} note={deviceName} />
        ) : state === 'pending' ? (
          <PanelContent>
            <Flex direction="column" align="center" gap="5" textAlign="center" px="4">
              <Center boxSize="28" borderRadius="full" bg="brand.subtle" color="brand.fg">
                <Smartphone size={52} strokeWidth={1.5} aria-hidden />
              </Center>
              <Text aria-hidden fontSize="xl" fontWeight="semibold" letterSpacing="snug" lineClamp={2}>
                {deviceName}
              </Text>
            </Flex>
          </PanelContent>
        ) : (
          children
        )}
      </CountdownRing>
    </RenewableCode>
  );
}

/** Button to retry after a failed sign-in. */
export function TryAgain({ onClick, isPending }: { onClick: () => void; isPending: boolean }) {
  return (
    <Button onClick={onClick} loading={isPending} loadingText={t`Retry`}>
      {t`Retry`}
    </Button>
  );
}

/** Passkey icon in place of the code or number that other sign-in methods display. */
export function PasskeyContent() {
  return (
    <PanelContent>
      <Center boxSize="28" borderRadius="full" bg="brand.subtle" color="brand.fg">
        <KeyRound size={52} strokeWidth={1.5} aria-hidden />
      </Center>
    </PanelContent>
  );
}
