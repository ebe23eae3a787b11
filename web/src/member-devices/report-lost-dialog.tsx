import { AlertLine } from '../ui/alert-line.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import type { DeviceDialogProps } from './delete-device-dialog.tsx';
import { deviceLabel } from './device-rules.ts';

interface ReportLostDialogProps extends DeviceDialogProps {
  /** The person signed in here with this very device. */
  isSignIn: boolean;
  isOnlyDevice: boolean;
}

export function ReportLostDialog({ device, isSignIn, isOnlyDevice, ...dialog }: ReportLostDialogProps) {
  return (
    <ConfirmDialog
      {...dialog}
      title={`Report ${deviceLabel(device)} lost?`}
      verb="Report lost"
      isDestructive
      consequences={[
        'It is removed and can never be used to sign in again.',
        'Every session that was signed in with it ends at once.',
        'If it turns up, add it as a new device.',
      ]}
    >
      {isSignIn && (
        <AlertLine tone="warning">
          This is the device of this sign-in: you will be signed out here at once.
          {isOnlyDevice && ' It is the only device, so a new activation code from your Admin is needed to come back.'}
        </AlertLine>
      )}
    </ConfirmDialog>
  );
}
