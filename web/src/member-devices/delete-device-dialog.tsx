import { t } from '@lingui/core/macro';
import type { Device } from '@orchestrate/shared';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { deviceLabel } from './device-rules.ts';

export interface DeviceDialogProps {
  device: Device;
  isOpen: boolean;
  isPending: boolean;
  onClose: () => void;
  onConfirm: () => void;
}

export function DeleteDeviceDialog({ device, ...dialog }: DeviceDialogProps) {
  return (
    <ConfirmDialog
      {...dialog}
      title={t`Delete ${deviceLabel(device)}?`}
      verb={t`Delete device`}
      isDestructive
      consequences={[
        t`It can no longer be used to sign in.`,
        t`All sessions signed in with it end immediately.`,
        t`To use it again, add it as a new device.`,
      ]}
    />
  );
}
