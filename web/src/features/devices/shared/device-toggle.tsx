import { chakra } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { Device } from '@orchestrate/shared';
import { useState } from 'react';
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx';
import { Hint } from '#ui/feedback/hint.tsx';
import { SwitchTrack } from '#ui/form/switch.tsx';
import { deviceLabel } from './device-rules.ts';

interface DeviceStatusDialogProps {
  device: Device;
  /** The device's status after confirmation. */
  status: Device['status'];
  isOpen: boolean;
  onClose: () => void;
  onConfirm: () => void;
}

/** Asks the user to confirm pausing or enabling a device (spec 1 §2). */
function DeviceStatusDialog({ device, status, ...dialog }: DeviceStatusDialogProps) {
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
        t`It can't be used to sign in until it is enabled again.`,
        t`All sessions signed in with it end immediately.`,
      ]}
    />
  );
}

interface DeviceToggleProps {
  device: Device;
  /** Reason why the device can't be paused. The toggle stays focusable to let users read the reason. */
  obstacle: string | undefined;
  onChange: (status: Device['status']) => Promise<void>;
}

/**
 * Pauses or enables a device after confirmation. Reads 'inactive' for a paused device (spec 1 §4).
 */
export function DeviceToggle({ device, obstacle, onChange }: DeviceToggleProps) {
  const [isPending, setIsPending] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  // Retained during the exit animation, when the device already has its new status.
  const [pendingStatus, setPendingStatus] = useState<Device['status']>();
  const isActive = device.status === 'active';
  const ask = () => {
    setPendingStatus(isActive ? 'paused' : 'active');
    setIsAsking(true);
  };
  const change = async (status: Device['status']) => {
    setIsAsking(false);
    setIsPending(true);
    await onChange(status);
    setIsPending(false);
  };
  return (
    <>
      <Hint text={obstacle ?? (isActive ? t`Pause device` : t`Enable device`)}>
        <chakra.button
          type="button"
          role="switch"
          aria-checked={isActive}
          aria-label={deviceLabel(device)}
          aria-disabled={obstacle ? true : undefined}
          aria-busy={isPending || undefined}
          onClick={() => {
            if (!obstacle && !isPending) ask();
          }}
          display="inline-flex"
          alignItems="center"
          justifyContent="flex-end"
          gap="2"
          minH="8"
          px="1.5"
          borderRadius="l1"
          cursor={obstacle ? 'not-allowed' : 'pointer'}
          outline="0"
          focusVisibleRing="outside"
        >
          {!isActive && (
            // On a phone, the status is next to the switch.
            <chakra.span hideBelow="xs" textStyle="xs" color="fg.muted">
              {t`inactive`}
            </chakra.span>
          )}
          <SwitchTrack size="sm" isOn={isActive} isDimmed={obstacle !== undefined} />
        </chakra.button>
      </Hint>
      {pendingStatus && (
        <DeviceStatusDialog
          device={device}
          status={pendingStatus}
          isOpen={isAsking}
          onClose={() => setIsAsking(false)}
          onConfirm={() => void change(pendingStatus)}
        />
      )}
    </>
  );
}
