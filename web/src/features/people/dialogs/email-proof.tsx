import { Button, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { cancelEmailChange, LIMITS, type PendingEmail, sendEmailCode, verifyEmail } from '@orchestrate/shared';
import { useState } from 'react';
import { useWrite } from '../../../lib/api/use-write.ts';
import { resultText } from '../../../lib/notices/result-text.ts';
import { toastRefusal } from '../../../lib/notices/toast-refusal.ts';
import { toast } from '../../../lib/notices/toaster.ts';
import { OneTimeCodeInput } from '../../../ui/one-time-code-input.tsx';

const invalidates = ['Member Profile'] as const;

/** One's own new address, or the present one, is waiting for the code sent there. */
export function EmailProof({ pending, isChange }: { pending: PendingEmail; isChange: boolean }) {
  const [code, setCode] = useState('');
  const verify = useWrite(verifyEmail, { invalidates });
  const send = useWrite(sendEmailCode, { invalidates });
  const cancel = useWrite(cancelEmailChange, { invalidates });

  const submit = async (otp: string) => {
    try {
      await verify.run({ body: { otp } });
      toast.success(t`Email address verified`);
    } catch {
      setCode('');
    }
  };
  const sendAgain = async () => {
    try {
      await send.run({ body: {} });
      toast.success(t`Code sent to ${pending.email}`);
    } catch (failure) {
      toastRefusal(failure);
    }
  };
  return (
    <Flex
      as="section"
      aria-label={t`Verify your email address`}
      direction="column"
      gap="4"
      p="4"
      borderWidth="1px"
      borderRadius="l3"
      bg="bg.subtle"
    >
      <Text textStyle="sm">
        {isChange ? (
          <Trans>
            A six-digit code was sent to <strong>{pending.email}</strong>. Until you enter it here, your address stays
            as it is.
          </Trans>
        ) : (
          <Trans>
            A six-digit code was sent to <strong>{pending.email}</strong>. Enter it here to verify the address.
          </Trans>
        )}
      </Text>
      <OneTimeCodeInput
        length={LIMITS.oneTimeCodeLength}
        groupSize={LIMITS.oneTimeCodeLength / 2}
        value={code}
        onChange={(next) => {
          setCode(next);
          verify.reset();
        }}
        onSubmit={(otp) => void submit(otp)}
        submitsWhenFull
        hasAutoFocus
        label={t`Code from the email`}
        isDisabled={verify.isPending}
        error={verify.refusal && resultText(verify.refusal)}
      />
      <Flex gap="2" justify="center" wrap="wrap">
        <Button type="button" variant="ghost" size="sm" loading={send.isPending} onClick={() => void sendAgain()}>
          {t`Send again`}
        </Button>
        <Button
          type="button"
          variant="ghost"
          size="sm"
          loading={cancel.isPending}
          onClick={() => void cancel.run({ body: {} }).catch(() => undefined)}
        >
          {isChange ? t`Cancel the change` : t`Not now`}
        </Button>
      </Flex>
    </Flex>
  );
}

/** The present address is not verified: a code is sent there on demand. */
export function VerifyAddress() {
  const { run, isPending, refusal } = useWrite(sendEmailCode, { invalidates });
  return (
    <Flex align="center" justify="space-between" gap="3" wrap="wrap" p="4" borderWidth="1px" borderRadius="l3">
      <Text textStyle="sm" color="fg.muted" flex="1 1 14rem">
        {refusal ? resultText(refusal) : t`Your email address is not verified yet.`}
      </Text>
      <Button
        type="button"
        variant="outline"
        size="sm"
        loading={isPending}
        loadingText={t`Verify address`}
        onClick={() => void run({ body: {} }).catch(() => undefined)}
      >
        {t`Verify address`}
      </Button>
    </Flex>
  );
}
