import { Button, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { cancelEmailChange, getUser, LIMITS, type PendingEmail, sendEmailCode, verifyEmail } from '@orchestrate/shared';
import { useState } from 'react';
import { useRead } from '#lib/api/use-read.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { toastRefusal } from '#lib/notices/show-refusal.ts';
import { toast } from '#lib/notices/toaster.ts';
import { useSession } from '#lib/session/session.ts';
import { Modal } from '#ui/dialog/modal.tsx';
import { useConfirmClose } from '#ui/dialog/use-confirm-close.tsx';
import { OneTimeCodeInput } from '#ui/form/one-time-code-input.tsx';
import { LinkedAccounts } from '../profile/linked-accounts.tsx';
import { EditUserForm } from './edit-user-form.tsx';

const invalidates = ['Member Profile'] as const;

/** Verifies the user's current or new email address with the code sent to it. */
function EmailVerification({ pending, isChange }: { pending: PendingEmail; isChange: boolean }) {
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
            We sent a six-digit code to <strong>{pending.email}</strong>. Your email address won't change until you
            enter the code here.
          </Trans>
        ) : (
          <Trans>
            We sent a six-digit code to <strong>{pending.email}</strong>. Enter it here to verify your email address.
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
          {t`Resend code`}
        </Button>
        <Button
          type="button"
          variant="ghost"
          size="sm"
          loading={cancel.isPending}
          onClick={() => void cancel.run({ body: {} }).catch(() => undefined)}
        >
          {isChange ? t`Cancel change` : t`Not now`}
        </Button>
      </Flex>
    </Flex>
  );
}

/** Offers to verify the current email address with a code. */
function VerifyAddress() {
  const { run, isPending, refusal } = useWrite(sendEmailCode, { invalidates });
  return (
    <Flex align="center" justify="space-between" gap="3" wrap="wrap" p="4" borderWidth="1px" borderRadius="l3">
      <Text textStyle="sm" color="fg.muted" flex="1 1 14rem">
        {refusal ? resultText(refusal) : t`Your email address isn't verified yet.`}
      </Text>
      <Button
        type="button"
        variant="outline"
        size="sm"
        loading={isPending}
        loadingText={t`Verify email address`}
        onClick={() => void run({ body: {} }).catch(() => undefined)}
      >
        {t`Verify email address`}
      </Button>
    </Flex>
  );
}

interface EditProfileDialogProps {
  isOpen: boolean;
  onClose: () => void;
  onExitComplete: () => void;
}

/** Edits the signed-in user's name and email address, verifies the address and lists linked accounts. */
export default function EditProfileDialog({ onClose, ...modal }: EditProfileDialogProps) {
  const [isDirty, setIsDirty] = useState(false);
  const { close, question } = useConfirmClose({ isDirty, onClose });
  const profile = useSession()?.profile;
  const { data } = useRead(getUser, profile ? { query: { suid: profile.suid } } : null);
  if (!profile) return null;
  const { suid, primaryAttr, email } = profile;
  const pending = data?.pendingEmail ?? null;
  const present = data?.profile.primaryEmail ?? email;
  return (
    <Modal {...modal} onClose={close} title={t`Edit profile`}>
      <Flex direction="column" gap="5">
        {pending && (
          <EmailVerification key={pending.requestedAt} pending={pending} isChange={pending.email !== present} />
        )}
        {data && !pending && !data.profile.emailVerified && <VerifyAddress />}
        <EditUserForm
          key={present}
          person={{ suid, primaryAttr }}
          onCancel={close}
          onDirty={setIsDirty}
          // Keep the dialog open, because a new email address still has to be verified.
          onSaved={(_member, waiting) => {
            if (!waiting) onClose();
          }}
        />
        <LinkedAccounts suid={suid} canRemove />
      </Flex>
      {question}
    </Modal>
  );
}
