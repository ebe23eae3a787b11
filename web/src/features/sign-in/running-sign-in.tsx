import { Box, Button, Flex, Spinner, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { CircleCheck, CircleX, Clock, Smartphone } from 'lucide-react';
import { type ReactNode, useContext, useEffect } from 'react';
import type { ApiRefusal } from '#lib/api/api-refusal.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { CountdownText } from '#ui/feedback/countdown.tsx';
import { SignInStage, useFocusOnMount } from './method.ts';
import type { StartedSignIn } from './pending-sign-in.ts';
import { RequestPanel, TryAgain } from './request-panel.tsx';
import { type SignInProgress, useSignInProgress } from './use-sign-in.ts';

interface StatusLineProps {
  signIn: SignInProgress;
  /** Status while waiting for a response, e.g. 'Waiting for your device'. */
  waiting: string;
  /** Status after expiry. */
  expired: string;
}

const WaitingDot = () => <Box boxSize="2.5" borderRadius="full" bg="brand.line" animation="pulse" />;

function partsOf({ signIn, waiting, expired }: StatusLineProps): {
  icon: React.ReactNode;
  text: string;
  color: string;
} {
  const { state, deviceName, matchNumber, isReconnecting, refusal } = signIn;
  if (isReconnecting) return { icon: <Spinner size="sm" />, text: t`Reconnecting…`, color: 'fg.muted' };
  switch (state) {
    case 'init':
      return { icon: <WaitingDot />, text: waiting, color: 'fg.muted' };
    case 'pending':
      return {
        icon: <Smartphone size={18} />,
        text: matchNumber ? t`Choose ${matchNumber} on ${deviceName ?? ''}` : t`Approve on ${deviceName ?? ''}`,
        color: 'fg',
      };
    case 'success':
      return { icon: <CircleCheck size={18} />, text: t`Signed in`, color: 'success.fg' };
    case 'rejected':
      return { icon: <CircleX size={18} />, text: t`The sign-in was rejected.`, color: 'danger.fg' };
    case 'expired':
      return { icon: <Clock size={18} />, text: expired, color: 'fg.muted' };
    case 'refused':
      return { icon: <CircleX size={18} />, text: resultText(refusal), color: 'danger.fg' };
  }
}

/** Shows the current status and the remaining time. Screen readers announce status changes. */
function StatusLine(props: StatusLineProps) {
  const { icon, text, color } = partsOf(props);
  const { state, countdown } = props.signIn;
  const hasCountdown = state === 'init' || state === 'pending';
  return (
    <Flex align="center" justify="center" gap="2" minH="6" color="fg.muted" flexWrap="wrap">
      {/* Outside the live region, so that the countdown isn't read aloud every second. */}
      <Flex aria-hidden color={color}>
        {icon}
      </Flex>
      <Box role="status" color={color} fontWeight={state === 'init' ? 'normal' : 'medium'}>
        {text}
      </Box>
      {hasCountdown && (
        <>
          <span aria-hidden>·</span>
          <CountdownText countdown={countdown} />
        </>
      )}
    </Flex>
  );
}

interface RunningSignInProps {
  started: StartedSignIn;
  waiting: string;
  expired: string;
  renewLabel: string;
  onRenew: () => void;
  isRenewing: boolean;
  /** True if the button that started the sign-in is gone, so focus must move here. */
  takesFocus: boolean;
  /** Why the sign-in can't succeed, if the live channel doesn't report it. */
  failure?: ApiRefusal | undefined;
  /** Code or number to scan, type or compare. */
  content: ReactNode;
  /** Action above the content until a device responds. */
  lead?: ReactNode;
  /** Actions below the content until a device responds, e.g. a copy button. */
  actions?: ReactNode;
  /** True if the devices have the request from the start, without a code. */
  isSent?: boolean;
  /** Cancels the sign-in. By default, closes the method. */
  onCancel?: () => void;
}

/**
 * Shows one sign-in from start to finish. Use the login ID as `key`, so that a different sign-in remounts the
 * component.
 */
export function RunningSignIn({
  started,
  takesFocus,
  failure,
  waiting,
  expired,
  content,
  lead,
  actions,
  isSent = false,
  onCancel,
  ...panel
}: RunningSignInProps) {
  const followed = useSignInProgress(started);
  const signIn =
    failure && followed.state === 'init' ? { ...followed, state: 'refused' as const, refusal: failure } : followed;
  const element = useFocusOnMount(takesFocus);
  const { state } = signIn;
  const hasFailed = state === 'rejected' || state === 'refused';
  const canCancel = state === 'pending' || (isSent && state === 'init');
  const { setIsApproving, close } = useContext(SignInStage);
  const isApproving = canCancel || state === 'success';
  useEffect(() => {
    if (!isApproving) return;
    setIsApproving(true);
    // The focused tab or button disappears. Without this, keyboard users would restart at the top of the page.
    const focused = document.activeElement;
    if (focused === document.body || focused?.closest('main')) element.current?.focus({ preventScroll: true });
    return () => setIsApproving(false);
  }, [isApproving, setIsApproving, element]);
  return (
    <Flex
      ref={element}
      role="group"
      aria-label={t`Sign-in`}
      tabIndex={-1}
      direction="column"
      align="center"
      gap="4"
      outline="0"
    >
      {state === 'init' && lead}
      <RequestPanel signIn={signIn} {...panel}>
        {content}
      </RequestPanel>
      <StatusLine signIn={signIn} waiting={waiting} expired={expired} />
      <Flex minH="9" align="center" justify="center" gap="2" flexWrap="wrap">
        {hasFailed && <TryAgain onClick={panel.onRenew} isPending={panel.isRenewing} />}
        {canCancel ? (
          <Button variant="outline" onClick={onCancel ?? close}>
            {t`Cancel`}
          </Button>
        ) : (
          state === 'init' && actions
        )}
      </Flex>
    </Flex>
  );
}

/** Shows why a sign-in couldn't be started. The request ID helps administrators find the request in the server log. */
export function PanelRefusal({ refusal, onRetry }: { refusal: ApiRefusal; onRetry: () => void }) {
  return (
    <Flex
      direction="column"
      align="center"
      justify="center"
      gap="5"
      minH="96"
      px="6"
      borderWidth="1px"
      borderRadius="l3"
    >
      <AlertLine>{resultText(refusal)}</AlertLine>
      <Button variant="outline" onClick={onRetry}>
        {t`Retry`}
      </Button>
      {refusal.requestId && (
        <Text textStyle="code" fontSize="xs" color="fg.subtle">
          {refusal.requestId}
        </Text>
      )}
    </Flex>
  );
}
