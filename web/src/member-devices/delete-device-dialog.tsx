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
      title={`Delete ${deviceLabel(device)}?`}
      verb="Delete device"
      isDestructive
      consequences={[
        'It can no longer be used to sign in.',
        'Every session that was signed in with it ends at once.',
        'To use it again, add it as a new device.',
      ]}
    />
  );
}
