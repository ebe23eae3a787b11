import type { AppType, Permission } from '@orchestrate/shared';

/** Permissions required for each action; they differ between own devices and other members' devices (spec 1 §6). */
export interface DevicePermissions {
  pause: Permission;
  remove: readonly Permission[];
  reportLost: Permission;
  /** For emailing the owner an activation code for the next device. */
  mailCode: Record<AppType, readonly Permission[]>;
}

export const OWN_DEVICES: DevicePermissions = {
  pause: 'PAUSE_DEVICE',
  remove: ['REMOVE_DEVICE'],
  reportLost: 'REPORT_LOST_DEVICE',
  mailCode: { mobile: ['SEND_ACT_CODE_EMAIL', 'GENERATE_ACT_CODE'], desktop: ['SEND_ACT_CODE_EMAIL'] },
};

export const OTHERS_DEVICES: DevicePermissions = {
  pause: 'PAUSE_DEVICE_FOR_OTHER_USERS',
  remove: ['REMOVE_DEVICE_FOR_OTHER_USERS', 'REMOVE_REPORTEE_DEVICE'],
  reportLost: 'REPORT_LOST_DEVICE_FOR_OTHER_USERS',
  mailCode: {
    mobile: ['SEND_ACT_CODE_EMAIL', 'GENERATE_ACT_CODE'],
    desktop: ['SEND_ACT_CODE_EMAIL', 'GENERATE_ACT_CODE', 'GENERATE_ACT_CODE_DESKTOP'],
  },
};
