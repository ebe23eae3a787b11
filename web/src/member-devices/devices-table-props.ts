import type { Device } from '@orchestrate/shared';

/** What the table passes on. No action returns anything: the change of the devices is the result. */
export interface DeviceTableActions {
  setStatus: (device: Device, status: Device['status']) => Promise<void>;
  rename: (device: Device, nickname: string) => Promise<void>;
  askRemove: (device: Device) => void;
  askReportLost: (device: Device) => void;
  /** Confirms a new device on another one; absent for other people's devices. */
  confirm: ((device: Device) => void) | undefined;
}

export interface DevicesTableProps {
  /** Names the table, e.g. 'Registered devices'. */
  label: string;
  /** All devices of one member, in the order in which they are shown. */
  devices: Device[];
  /** The device of this sign-in. */
  signInZid: string;
  /** What the person may do with these devices; the rest is hidden. */
  can: { pause: boolean; remove: boolean; reportLost: boolean };
  /** Own profile only. */
  hasNicknames: boolean;
  actions: DeviceTableActions;
}
