import type { AppType, Permission } from '@orchestrate/shared';

/**
 * Permissions required for each action, which differ between the user's own devices and other members' devices (spec
 * 1 §6).
 */
export interface DevicePermissions {
  pause: Permission;
  remove: readonly Permission[];
  reportLost: Permission;
  /** Permissions for emailing the owner an activation code for the next device. */
  mailCode: Record<AppType, readonly Permission[]>;
}

export const OWN_DEVICE_PERMISSIONS: DevicePermissions = {
  pause: 'PAUSE_DEVICE',
  remove: ['REMOVE_DEVICE'],
  reportLost: 'REPORT_LOST_DEVICE',
  mailCode: { mobile: ['SEND_ACT_CODE_EMAIL', 'GENERATE_ACT_CODE'], desktop: ['SEND_ACT_CODE_EMAIL'] },
};

export const OTHERS_DEVICE_PERMISSIONS: DevicePermissions = {
  pause: 'PAUSE_DEVICE_FOR_OTHER_USERS',
  remove: ['REMOVE_DEVICE_FOR_OTHER_USERS', 'REMOVE_REPORTEE_DEVICE'],
  reportLost: 'REPORT_LOST_DEVICE_FOR_OTHER_USERS',
  mailCode: {
    mobile: ['SEND_ACT_CODE_EMAIL', 'GENERATE_ACT_CODE'],
    desktop: ['SEND_ACT_CODE_EMAIL', 'GENERATE_ACT_CODE', 'GENERATE_ACT_CODE_DESKTOP'],
  },
};
