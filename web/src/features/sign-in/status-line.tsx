import { Box, Flex, Spinner } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { CircleCheck, CircleX, Clock, Smartphone } from 'lucide-react';
import { resultText } from '../../lib/notices/result-text.ts';
import { CountdownText } from '../../ui/countdown.tsx';
import type { FollowedSignIn } from './use-sign-in.ts';

interface StatusLineProps {
  signIn: FollowedSignIn;
  /** While nobody has answered, e.g. 'Waiting for your device'. */
  waiting: string;
  /** When nobody answered in time. */
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

/** The current state, announced to screen readers as it changes, and the time left. */
export function StatusLine(props: StatusLineProps) {
  const { icon, text, color } = partsOf(props);
  const { state, countdown } = props.signIn;
  const hasCountdown = state === 'init' || state === 'pending';
  return (
    <Flex align="center" justify="center" gap="2" minH="6" color="fg.muted" flexWrap="wrap">
      {/* Outside of the live region: having a clock read out every second would be torture. */}
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
