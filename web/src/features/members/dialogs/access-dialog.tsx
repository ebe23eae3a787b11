import { t } from '@lingui/core/macro';
import { fullNameOf, manageUser } from '@orchestrate/shared';
import { useWrite } from '#lib/api/use-write.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { toast } from '#lib/notices/toaster.ts';
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx';
import type { MemberDialogProps } from './member-dialog.ts';

const words = {
  pause: {
    verb: t`Disable user`,
    titleFor: (name: string) => t`Disable ${name}?`,
    done: t`User disabled successfully`,
    consequences: [
      t`They can no longer sign in on any device.`,
      t`All sessions end immediately.`,
      t`Their devices, role and history are kept in case you enable them again.`,
    ],
  },
  unpause: {
    verb: t`Enable user`,
    titleFor: (name: string) => t`Enable ${name}?`,
    done: t`User enabled successfully`,
    consequences: [t`They can sign in again with their registered devices.`],
  },
} as const;

/** Confirms disabling an active member or enabling an inactive one (spec 1 §4). */
export default function AccessDialog({ member, isOpen, onClose, onExitComplete }: MemberDialogProps) {
  const { run, isPending, refusal } = useWrite(manageUser, { invalidates: ['Member Profile', 'Device Listing'] });
  const action = member.accountStatus === 'active' ? 'pause' : 'unpause';
  const { verb, titleFor, done, consequences } = words[action];
  const confirm = async () => {
    try {
      await run({ body: { suid: member.suid, action } });
    } catch {
      return;
    }
    toast.success(done);
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      onExitComplete={onExitComplete}
      onConfirm={() => void confirm()}
      title={titleFor(fullNameOf(member))}
      verb={verb}
      isDestructive={action === 'pause'}
      isPending={isPending}
      consequences={[...consequences]}
      error={refusal && resultText(refusal)}
    />
  );
}
