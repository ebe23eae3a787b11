import { t } from '@lingui/core/macro';
import type { Device } from '@orchestrate/shared';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { deviceLabel } from './device-rules.ts';

interface DeviceStatusDialogProps {
  device: Device;
  /** What it shall become. */
  status: Device['status'];
  isOpen: boolean;
  onClose: () => void;
  onConfirm: () => void;
}

/** Asks before a device is paused or enabled again (spec 1 §2). */
export function DeviceStatusDialog({ device, status, ...dialog }: DeviceStatusDialogProps) {
  const label = deviceLabel(device);
  if (status === 'active') {
    return (
      <ConfirmDialog
        {...dialog}
        title={t`Enable ${label}?`}
        verb={t`Enable device`}
        consequences={[t`It can be used to sign in again.`]}
      />
    );
  }
  return (
    <ConfirmDialog
      {...dialog}
      title={t`Pause ${label}?`}
      verb={t`Pause device`}
      consequences={[
        t`It cannot be used to sign in until it is enabled again.`,
        t`All sessions signed in with it end immediately.`,
      ]}
    />
  );
}
