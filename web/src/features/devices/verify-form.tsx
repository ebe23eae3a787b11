import { Button, chakra, Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { LIMITS } from '@orchestrate/shared';
import { useState } from 'react';
import { OneTimeCodeInput } from '../../ui/one-time-code-input.tsx';

interface VerifyFormProps {
  /** Why the last code was refused, e.g. 'Invalid validation code'. */
  problem: string | undefined;
  isPending: boolean;
  onVerify: (validationCode: string) => void;
  onRetry: () => void;
  onCancel: () => void;
}

/** The two characters that the new device shows: verified with Enter, or with the button once both are there. */
export function VerifyForm({ problem, isPending, onVerify, onRetry, onCancel }: VerifyFormProps) {
  const [code, setCode] = useState('');
  const isFull = code.length === LIMITS.verificationCodeLength;
  const verify = () => {
    if (isFull && !isPending && !problem) onVerify(code);
  };
  return (
    <chakra.form
      display="flex"
      flexDirection="column"
      gap="5"
      onSubmit={(event) => {
        event.preventDefault();
        verify();
      }}
    >
      <OneTimeCodeInput
        label={t`Verification code`}
        kind="letters-and-digits"
        length={LIMITS.verificationCodeLength}
        value={code}
        onChange={setCode}
        error={problem}
        isDisabled={isPending || problem !== undefined}
        hasAutoFocus
      />
      <Flex gap="2.5" justify="center">
        <Button type="button" variant="outline" onClick={onCancel} disabled={isPending}>
          {t`Cancel`}
        </Button>
        {problem ? (
          <Button type="button" onClick={onRetry}>
            {t`Retry`}
          </Button>
        ) : (
          <Button type="submit" disabled={!isFull} loading={isPending} loadingText={t`Verify`}>
            {t`Verify`}
          </Button>
        )}
      </Flex>
    </chakra.form>
  );
}
