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

/** Why a pairing failed, by the result code of its status. */
function failureOf({ resultCode, status }: PairingProgress): OutcomeText {
  if (resultCode === codeOf('INVALID_VALIDATION_CODE')) {
    return {
      tone: 'danger',
      title: t`Wrong code`,
      text: t`The verification code typed in the portal was not the one here.`,
    };
  }
  if (resultCode === codeOf('DEVICE_ADD_LIMIT_REACHED')) {
    return { tone: 'danger', title: t`Too many devices`, text: t`Remove a device in the portal to add this one.` };
  }
  if (status === 'denied') {
    return { tone: 'neutral', title: t`Cancelled`, text: t`Adding this phone was cancelled in the portal.` };
  }
  return { tone: 'warning', title: t`Expired`, text: t`The portal did not confirm in time. Start again there.` };
}

/** This phone has connected: asks the portal every second whether somebody has confirmed it there. */
export function PairingWait({ pairing, onPaired, onFailed }: PairingWaitProps) {
  const [startedAt] = useState(() => new Date(authenticator.portalNow()).toISOString());
  const timeLeft = useTimeLeft(startedAt, pairing.expiresAt);
  useSWR(['authenticator pairing', pairing.pairingId], () => authenticator.pairStatus(pairing), {
    refreshInterval: SECOND,
    // Keeps polling while hidden: the code is typed in another tab, which covers this page.
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
          <Text color="fg.muted">{t`Type this code in the portal`}</Text>
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
          {t`Now confirm in the portal that you want to add this phone.`}
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
