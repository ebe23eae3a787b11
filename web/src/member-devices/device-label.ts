import type { Device } from '@orchestrate/shared';

/** What people call the device: its nickname, else its name. */
export const deviceLabel = ({ nickName, name }: Pick<Device, 'nickName' | 'name'>): string => nickName || name;
