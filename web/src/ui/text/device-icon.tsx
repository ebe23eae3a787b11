import { t } from '@lingui/core/macro';
import { KeyRound, Monitor, Smartphone } from 'lucide-react';
import { IconTile } from './icon-tile.tsx';

export type DeviceType = 'mobile' | 'desktop' | 'webauthn';

const icons = { mobile: Smartphone, desktop: Monitor, webauthn: KeyRound };

/** Display names of the device types. */
export const deviceTypeLabel: Record<DeviceType, string> = {
  mobile: t`Mobile`,
  desktop: t`Desktop`,
  webauthn: t`Passkey`,
};

interface DeviceIconProps {
  type: DeviceType;
  /** In px. */
  size?: number;
  /** Adds a grey tile behind the icon, for lists. */
  hasTile?: boolean;
}

export function DeviceIcon({ type, size = 16, hasTile = false }: DeviceIconProps) {
  const Icon = icons[type];
  const icon = <Icon size={size} strokeWidth={1.75} aria-hidden />;
  return hasTile ? <IconTile>{icon}</IconTile> : icon;
}
