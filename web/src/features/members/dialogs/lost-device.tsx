import { Button } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { Device } from '@orchestrate/shared';
import { useState } from 'react';
import { OTHERS_DEVICE_PERMISSIONS, OWN_DEVICE_PERMISSIONS } from '#features/devices/shared/device-permissions.ts';
import { LostDeviceDialog } from '#features/devices/shared/lost-device-dialog.tsx';
import { useMemberDevices } from '#features/devices/shared/use-member-devices.ts';
import { Modal } from '#ui/dialog/modal.tsx';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';
import { ActivationCodePanel } from '../activation/activation-code-panel.tsx';
import { useMemberRights } from '../use-member-rights.ts';
import type { MemberDialogProps } from './member-dialog.ts';

/** Reports a member's device lost. If the member has no device, offers an activation code instead. */
export default function LostDevice({ member, isOpen, onClose, onExitComplete }: MemberDialogProps) {
  const rights = useMemberRights(member);
  const { devices, reply, refusal, refetch } = useMemberDevices(member.suid);
  // Reporting removes the device from the list, but the dialog still refers to it.
  const [first, setFirst] = useState<readonly Device[]>();
  if (devices && !first) setFirst(devices);
  const dialog = { isOpen, onClose, onExitComplete };
  const footer = <Button onClick={onClose}>{t`Done`}</Button>;
  if (refusal && !reply)
    return (
      <Modal {...dialog} title={t`Report a device lost`} footer={footer}>
        <RefusalState refusal={refusal} onRetry={refetch} />
      </Modal>
    );
  if (!reply || !first) return null;
  if (first.length === 0)
    return (
      <Modal
        {...dialog}
        title={t`${member.firstName} doesn't have a device`}
        description={t`There's nothing to report. They can register a device with an activation code.`}
        footer={footer}
      >
        <ActivationCodePanel member={reply.profile} devices={[]} app="mobile" rights={rights} />
      </Modal>
    );
  return (
    <LostDeviceDialog
      {...dialog}
      devices={first}
      owner={reply.profile}
      permissions={rights.isSelf ? OWN_DEVICE_PERMISSIONS : OTHERS_DEVICE_PERMISSIONS}
    />
  );
}
