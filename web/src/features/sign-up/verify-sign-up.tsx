import { Button, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { LIMITS, type ResultName, type SignupForm, signup, verifySignup } from '@orchestrate/shared';
import { useState } from 'react';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { OneTimeCodeInput } from '#ui/form/one-time-code-input.tsx';
import { OutboxLink } from './outbox-link.tsx';

const LENGTH = LIMITS.oneTimeCodeLength;

/** Results that concern the code itself, shown below its field. Errors for other results are shown above the button. */
const ABOUT_THE_CODE: ReadonlySet<ResultName | undefined> = new Set<ResultName>([
  'INVALID_OTP',
  'OTP_MISSING',
  'OTP_MISMATCH',
  'OTP_EXPIRED',
]);

interface VerifySignUpProps {
  orgCode: string;
  form: SignupForm;
  onVerified: () => void;
  /** Returns to the form, e.g. to correct the email address or number. */
  onChange: () => void;
}

/** Asks for the one-time code that verifies the email address or mobile number. */
export function VerifySignUp({ orgCode, form, onVerified, onChange }: VerifySignUpProps) {
  const [otp, setOtp] = useState('');
  const [isResent, setIsResent] = useState(false);
  const verifying = useWrite(verifySignup);
  const sending = useWrite(signup);
  const isBusy = verifying.isPending || sending.isPending;
  const isAboutTheCode = ABOUT_THE_CODE.has(verifying.refusal?.resultName);
  const otherRefusal = sending.refusal ?? (isAboutTheCode ? undefined : verifying.refusal);

  const verify = async (code: string) => {
    setIsResent(false);
    try {
      await verifying.run({ body: { orgCode, email: form.email, otp: code } });
    } catch (failure) {
      if (!(failure instanceof ApiRefusal)) throw failure;
      return setOtp('');
    }
    onVerified();
  };
  const resend = async () => {
    verifying.reset();
    setOtp('');
    setIsResent(false);
    try {
      await sending.run({ body: { ...form, orgCode } });
    } catch (failure) {
      if (!(failure instanceof ApiRefusal)) throw failure;
      return;
    }
    setIsResent(true);
  };

  return (
    <Flex direction="column" gap="6" align="stretch">
      <OneTimeCodeInput
        label={t`One-time code`}
        length={LENGTH}
        groupSize={LENGTH / 2}
        value={otp}
        onChange={(code) => {
          setOtp(code);
          if (verifying.refusal) verifying.reset();
        }}
        onSubmit={(code) => void verify(code)}
        submitsWhenFull
        error={isAboutTheCode ? resultText(verifying.refusal) : undefined}
        hasAutoFocus
      />
      {otherRefusal && <AlertLine>{resultText(otherRefusal)}</AlertLine>}
      <Button
        size="xl"
        w="full"
        disabled={otp.length < LENGTH}
        loading={verifying.isPending}
        loadingText={t`Confirm`}
        onClick={() => void verify(otp)}
      >
        {t`Confirm`}
      </Button>
      <Flex direction="column" align="center" gap="1">
        <Text role="status" color="fg.muted" textStyle="sm" minH="5">
          {isResent ? t`We've sent a new code. The previous code no longer works.` : ''}
        </Text>
        <Flex gap="1" wrap="wrap" justify="center">
          <Button variant="ghost" size="sm" disabled={isBusy} onClick={() => void resend()}>
            {t`Send a new code`}
          </Button>
          <Button variant="ghost" size="sm" onClick={onChange}>
            {form.mobileNumber ? t`Use another number` : t`Use another email address`}
          </Button>
        </Flex>
        <OutboxLink to={form.mobileNumber ?? form.email} />
      </Flex>
    </Flex>
  );
}
