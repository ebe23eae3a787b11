import { Center, chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { APPROVAL_SECONDS } from '#lib/session/use-approval-state.ts';
import { useCountdown } from '#lib/time/timers.ts';
import { CountdownRing, CountdownText } from '../feedback/countdown.tsx';

interface ApprovalWaitProps {
  approvalId: string;
  /** Number to choose on the device. */
  number: string;
  /** Action to approve, or why approval is needed. */
  children: string;
}

/** Shows the number to choose on the user's own device, and the time left to approve. */
export function ApprovalWait({ approvalId, number, children }: ApprovalWaitProps) {
  const countdown = useCountdown(APPROVAL_SECONDS, approvalId);
  return (
    <Flex role="status" direction="column" align="center" gap="4" textAlign="center">
      <CountdownRing countdown={countdown}>
        <Center boxSize="32">
          <chakra.span textStyle="code" fontSize="4rem" fontWeight="semibold" lineHeight="1">
            {number}
          </chakra.span>
        </Center>
      </CountdownRing>
      <Text fontWeight="semibold">{t`Approve on your phone: choose ${number}`}</Text>
      <Text color="fg.muted" textStyle="sm" maxW="sm">
        {children}
      </Text>
      <Text color="fg.muted" textStyle="sm">
        <Trans>
          Expires in <CountdownText countdown={countdown} />
        </Trans>
      </Text>
    </Flex>
  );
}
