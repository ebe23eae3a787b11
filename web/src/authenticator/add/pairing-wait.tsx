import { chakra, Flex, Spinner, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type Confirmation, codeOf, SECOND } from '@orchestrate/shared';
import {
  type DeviceState,
  type Pairing,
  type PairingProgress,
  PortalUnreachable,
} from '@orchestrate/shared/authenticator';
import { useState } from 'react';
import useSWR from 'swr';
import { CountdownText } from '#ui/feedback/countdown.tsx';
import { authenticator } from '../phone/this-phone.ts';
import type { OutcomeText } from '../requests/outcome.tsx';
import { refusalText } from '../requests/refusal-text.ts';
import { useTimeLeft } from '../requests/use-time-left.ts';

interface PairingWaitProps {
  pairing: Pairing;
  onPaired: (account: DeviceState, confirmation?: Confirmation) => void;
  onFailed: (outcome: OutcomeText) => void;
}

/** Returns the message to display for a failed pairing. */
function failureOf({ resultCode, status }: PairingProgress): OutcomeText {
  if (resultCode === codeOf('INVALID_VALIDATION_CODE')) {
    return {
      tone: 'danger',
      title: t`Wrong code`,
      text: t`The verification code entered in the portal didn't match.`,
    };
  }
  if (resultCode === codeOf('DEVICE_ADD_LIMIT_REACHED')) {
    return { tone: 'danger', title: t`Too many devices`, text: t`Remove a device in the portal to add this one.` };
  }
  if (status === 'denied') {
    return { tone: 'neutral', title: t`Cancelled`, text: t`The request was cancelled in the portal.` };
  }
  return {
    tone: 'warning',
    title: t`Expired`,
    text: t`This phone wasn't confirmed in time. Start again in the portal.`,
  };
}

/** Polls the portal every second until the pairing is confirmed there. */
export function PairingWait({ pairing, onPaired, onFailed }: PairingWaitProps) {
  const [startedAt] = useState(() => new Date(authenticator.portalNow()).toISOString());
  const timeLeft = useTimeLeft(startedAt, pairing.expiresAt);
  useSWR(['authenticator pairing', pairing.pairingId], () => authenticator.pairStatus(pairing), {
    refreshInterval: SECOND,
    // Keep polling while hidden, because the user is entering the code in another tab.
    refreshWhenHidden: true,
    dedupingInterval: 0,
    shouldRetryOnError: false,
    onSuccess: (progress) => {
      if (progress.device) onPaired(progress.device, progress.confirmation);
      else if (progress.status !== 'notify') onFailed(failureOf(progress));
    },
    onError: (failure) => {
      if (!(failure instanceof PortalUnreachable)) onFailed({ tone: 'danger', ...refusalText(failure) });
    },
  });

  return (
    <Flex direction="column" align="center" gap="5" py="2" textAlign="center">
      {pairing.verificationCode ? (
        <>
          <Text color="fg.muted">{t`Enter this code in the portal`}</Text>
          <chakra.output
            dir="ltr"
            aria-label={t`Verification code ${[...pairing.verificationCode].join(' ')}`}
            display="flex"
            gap="3"
          >
            {[...pairing.verificationCode].map((character, at) => (
              <chakra.span
                key={at}
                aria-hidden
                display="flex"
                alignItems="center"
                justifyContent="center"
                w="20"
                h="24"
                borderRadius="xl"
                bg="bg.muted"
                textStyle="code"
                fontSize="4xl"
                fontWeight="bold"
              >
                {character}
              </chakra.span>
            ))}
          </chakra.output>
        </>
      ) : (
        <Text fontSize="lg" fontWeight="medium" textWrap="balance">
          {t`Then confirm this phone there.`}
        </Text>
      )}
      <Flex role="status" align="center" gap="2.5" color="fg.muted">
        <Spinner size="sm" aria-hidden />
        {t`Waiting for the portal`}
        <CountdownText countdown={timeLeft} />
      </Flex>
    </Flex>
  );
}
