import { t } from '@lingui/core/macro';
import { OWN_DEVICES } from './shared/device-permissions.ts';
import { DevicesPanel } from './shared/devices-panel.tsx';

/** The signed-in person's devices; nicknames appear only here. */
export default function OwnDevices() {
  return <DevicesPanel title={t`Registered devices`} permissions={OWN_DEVICES} hasNicknames />;
}
