import { t } from '@lingui/core/macro';
import { OWN_DEVICES } from './shared/device-permissions.ts';
import { DevicesPanel } from './shared/devices-panel.tsx';

/** Lists the signed-in user's devices; only this list has nicknames. */
export default function OwnDevices() {
  return <DevicesPanel title={t`Registered devices`} permissions={OWN_DEVICES} hasNicknames />;
}
