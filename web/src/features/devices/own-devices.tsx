import { type DevicePermissions, DevicesPanel } from '../../member-devices/devices-panel.tsx';

const OWN: DevicePermissions = { pause: 'PAUSE_DEVICE', remove: ['REMOVE_DEVICE'], reportLost: 'REPORT_LOST_DEVICE' };

/** The signed-in person's devices; nicknames appear only here. */
export default function OwnDevices() {
  return <DevicesPanel title="Registered devices" permissions={OWN} hasNicknames />;
}
