import { t } from '@lingui/core/macro';
import { OWN_DEVICE_PERMISSIONS } from './shared/device-permissions.ts';
import { DevicesPanel } from './shared/devices-panel.tsx';

/** Lists the signed-in user's devices. Only this list lets users edit nicknames. */
export default function OwnDevices() {
  return <DevicesPanel title={t`Registered devices`} permissions={OWN_DEVICE_PERMISSIONS} hasNicknames />;
}
