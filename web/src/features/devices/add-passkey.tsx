import { Button, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { confirmationText } from '../../lib/session/confirmation-text.ts';
import { AlertLine } from '../../ui/alert-line.tsx';
import { DeviceIcon } from '../../ui/device-icon.tsx';
import { IconMessage } from '../../ui/icon-message.tsx';
import { DeviceResult } from './device-result.tsx';
import { LimitReached } from './limit-reached.tsx';
import type { RunApproved } from './use-add-device-approval.ts';
import { useAddPasskey } from './use-add-passkey.ts';

interface AddPasskeyProps {
  run: RunApproved;
  onClose: () => void;
  /** Back to the choice of what to add. */
  onBack: () => void;
}

/** Adding a passkey: this screen waits while the browser asks the person. Each retry is another attempt. */
export default function AddPasskey(props: AddPasskeyProps) {
  const [round, setRound] = useState(0);
  return <Attempt key={round} onRetry={() => setRound(round + 1)} {...props} />;
}

function Attempt({ run, onClose, onBack, onRetry }: AddPasskeyProps & { onRetry: () => void }) {
  const attempt = useAddPasskey(run);
  switch (attempt.step) {
    case 'waiting':
      return <Waiting onBack={onBack} />;
    case 'limit-reached':
      return <LimitReached onClose={onClose} />;
    case 'failed':
      return (
        <DeviceResult look="failed" title={t`The passkey was not added`} text={attempt.text}>
          {attempt.requestId && (
            <Text textStyle="code" fontSize="xs" color="fg.subtle">
              {attempt.requestId}
            </Text>
          )}
          <Flex gap="2.5">
            <Button variant="outline" onClick={onBack}>
              {t`Another kind of device`}
            </Button>
            <Button onClick={onRetry}>{t`Retry`}</Button>
          </Flex>
        </DeviceResult>
      );
    case 'complete':
      return (
        <DeviceResult look="success" title={t`${attempt.name} was added`} text={t`It can sign in as you from now on.`}>
          {attempt.confirmation && <AlertLine tone="info">{confirmationText(attempt.confirmation)}</AlertLine>}
          <Flex gap="2.5">
            <Button variant="outline" onClick={onBack}>
              {t`Add another`}
            </Button>
            <Button onClick={onClose}>{t`Done`}</Button>
          </Flex>
        </DeviceResult>
      );
  }
}

function Waiting({ onBack }: { onBack: () => void }) {
  return (
    <>
      <IconMessage
        icon={<DeviceIcon type="webauthn" size={30} />}
        tone="brand"
        title={t`Follow the steps in your browser`}
        text={t`Choose where to keep the passkey, and confirm with your fingerprint, your face or a PIN.`}
      />
      <Button variant="ghost" size="sm" alignSelf="flex-start" ms="-3" mb="-2" onClick={onBack}>
        <ArrowLeft />
        {t`Another kind of device`}
      </Button>
    </>
  );
}
