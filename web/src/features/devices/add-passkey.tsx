import { Button, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { addPasskey, beginPasskey, type Confirmation } from '@orchestrate/shared';
import { ArrowLeft } from 'lucide-react';
import { useEffect, useState } from 'react';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { call } from '#lib/api/call.ts';
import { useInvalidate } from '#lib/api/use-write.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { cancelPasskey, createPasskey } from '#lib/session/passkey-ceremony.ts';
import { confirmationText } from '#lib/session/use-approval-state.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { IconMessage } from '#ui/feedback/icon-message.tsx';
import { DeviceIcon } from '#ui/text/device-icon.tsx';
import { DeviceResult, LimitReached } from './device-result.tsx';
import type { RunApproved } from './use-add-device-approval.ts';

type PasskeyAttempt =
  | { step: 'waiting' }
  | { step: 'complete'; name: string; confirmation: Confirmation | undefined }
  | { step: 'limit-reached' }
  | { step: 'failed'; text: string; requestId: string | undefined };

/** Adds a passkey on mount. The browser creates it, and the portal stores its public key. */
function useAddPasskey(run: RunApproved): PasskeyAttempt {
  const invalidate = useInvalidate();
  const [attempt, setAttempt] = useState<PasskeyAttempt>({ step: 'waiting' });

  useEffect(() => {
    let isLeft = false;
    const add = async () => {
      const { registrationId, options } = await run((approvalId) => call(beginPasskey, { body: { approvalId } }));
      if (isLeft) return;
      const credential = await createPasskey(options);
      const { name, confirmation } = await call(addPasskey, { body: { registrationId, credential } });
      await invalidate('Device Listing', 'Member Profile');
      if (!isLeft) setAttempt({ step: 'complete', name, confirmation });
    };
    add().catch((failure: unknown) => {
      if (!isLeft) setAttempt(failedAttempt(failure));
    });
    return () => {
      isLeft = true;
      cancelPasskey();
    };
  }, [invalidate, run]);

  return attempt;
}

function failedAttempt(failure: unknown): PasskeyAttempt {
  const { resultName, requestId } = failure instanceof ApiRefusal ? failure : {};
  if (resultName === 'DEVICE_ADD_LIMIT_REACHED') return { step: 'limit-reached' };
  return { step: 'failed', text: resultText(failure), requestId };
}

interface AddPasskeyProps {
  run: RunApproved;
  onClose: () => void;
  /** Returns to the device choice. */
  onBack: () => void;
}

/** Adds a passkey while the browser prompts the user. Each retry is a new attempt. */
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
        <DeviceResult look="failed" title={t`Couldn't add the passkey`} text={attempt.text}>
          {attempt.requestId && (
            <Text textStyle="code" fontSize="xs" color="fg.subtle">
              {attempt.requestId}
            </Text>
          )}
          <Flex gap="2.5">
            <Button variant="outline" onClick={onBack}>
              {t`Choose another device type`}
            </Button>
            <Button onClick={onRetry}>{t`Retry`}</Button>
          </Flex>
        </DeviceResult>
      );
    case 'complete':
      return (
        <DeviceResult look="success" title={t`${attempt.name} was added`} text={t`You can now sign in with it.`}>
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
        text={t`Choose where to save the passkey, then confirm with your fingerprint, your face or a PIN.`}
      />
      <Button variant="ghost" size="sm" alignSelf="flex-start" ms="-3" mb="-2" onClick={onBack}>
        <ArrowLeft />
        {t`Choose another device type`}
      </Button>
    </>
  );
}
