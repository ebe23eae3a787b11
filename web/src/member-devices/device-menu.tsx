import { IconButton, Menu, Portal } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { Device } from '@orchestrate/shared';
import { EllipsisVertical, ShieldAlert, ShieldCheck, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { MenuEntry } from '../ui/menu-entry.tsx';
import { deviceLabel } from './device-rules.ts';

interface DeviceMenuProps {
  device: Device;
  /** Absent unless the device is new and another one can confirm it. */
  onConfirm: (() => void) | undefined;
  /** Each absent where the person lacks the permission. */
  onReportLost: (() => void) | undefined;
  onDelete: (() => void) | undefined;
  /** Why the device cannot be deleted. */
  deleteObstacle: string | undefined;
}

/** Rarely used actions on a device. An item that is not possible stays reachable and says why. */
export function DeviceMenu({ device, onConfirm, onReportLost, onDelete, deleteObstacle }: DeviceMenuProps) {
  const [highlighted, setHighlighted] = useState<string | null>(null);
  if (!onConfirm && !onReportLost && !onDelete) return null;
  const choose = (value: string) => {
    if (value === 'confirm') onConfirm?.();
    if (value === 'report-lost') onReportLost?.();
    if (value === 'delete' && !deleteObstacle) onDelete?.();
  };
  return (
    <Menu.Root
      positioning={{ placement: 'bottom-end' }}
      highlightedValue={highlighted}
      onHighlightChange={({ highlightedValue }) => setHighlighted(highlightedValue)}
      onSelect={({ value }) => choose(value)}
    >
      <Menu.Trigger asChild>
        <IconButton variant="ghost" size="sm" aria-label={t`More actions for ${deviceLabel(device)}`}>
          <EllipsisVertical />
        </IconButton>
      </Menu.Trigger>
      <Portal>
        <Menu.Positioner>
          <Menu.Content>
            {onConfirm && (
              <Menu.Item value="confirm">
                <ShieldCheck />
                {t`Confirm on another device`}
              </Menu.Item>
            )}
            {onReportLost && (
              <Menu.Item value="report-lost">
                <ShieldAlert />
                {t`Report lost`}
              </Menu.Item>
            )}
            {onDelete && (
              <MenuEntry
                value="delete"
                obstacle={deleteObstacle}
                isHighlighted={highlighted === 'delete'}
                isDestructive
              >
                <Trash2 />
                {t`Delete device`}
              </MenuEntry>
            )}
          </Menu.Content>
        </Menu.Positioner>
      </Portal>
    </Menu.Root>
  );
}
