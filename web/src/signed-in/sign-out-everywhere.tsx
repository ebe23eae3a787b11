import { Button } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { setRemembered } from '../lib/session/remembered.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { useEndSignIn } from './use-end-sign-in.ts';

/** Ends all sign-ins at once, except the current session. */
export function SignOutEverywhere({ member }: { member: { suid: string; fullName: string } | undefined }) {
  const [isOpen, setIsOpen] = useState(false);
  const { endAll, isPending } = useEndSignIn(member?.suid);
  const confirm = async () => {
    if (!(await endAll())) return;
    setIsOpen(false);
    if (!member) setRemembered(false);
  };
  return (
    <>
      <Button variant="outline" size={{ base: 'xs', xs: 'sm' }} onClick={() => setIsOpen(true)}>
        {t`Sign out everywhere`}
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        onConfirm={() => void confirm()}
        title={t`Sign out everywhere`}
        isDestructive
        isPending={isPending}
        consequences={
          member
            ? [
                t`All sessions of ${member.fullName} and all their sign-ins to applications end immediately.`,
                t`No browser remembers this person any more.`,
              ]
            : [
                t`All other sessions and all sign-ins to applications end immediately. You stay signed in here.`,
                t`No browser remembers you any more, this one included.`,
              ]
        }
      />
    </>
  );
}
