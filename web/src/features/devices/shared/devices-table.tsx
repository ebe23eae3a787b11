import { Box, chakra, Flex, IconButton, Menu, Portal, Table, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { Device } from '@orchestrate/shared';
import { ChevronRight, EllipsisVertical, ShieldAlert, ShieldCheck, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { formatDateTime } from '#lib/format/dates.ts';
import { joinWithDots } from '#lib/format/text.ts';
import { StatusBadge } from '#ui/feedback/status-badge.tsx';
import { MenuEntry } from '#ui/list/menu-entry.tsx';
import { DeviceIcon, deviceTypeLabel } from '#ui/text/device-icon.tsx';
import { deviceLabel, isConfirmable, obstacleTo } from './device-rules.ts';
import { DeviceToggle } from './device-toggle.tsx';
import { NicknameEditor } from './nickname-editor.tsx';

/** Actions on the table's devices. They return nothing, because their results appear in the refreshed device list. */
interface DeviceTableActions {
  setStatus: (device: Device, status: Device['status']) => Promise<void>;
  rename: (device: Device, nickname: string) => Promise<void>;
  askRemove: (device: Device) => void;
  askReportLost: (device: Device) => void;
  /** Confirms a new device on another device. Absent for other members' devices. */
  confirm: ((device: Device) => void) | undefined;
}

interface DevicesTableProps {
  /** Accessible table name, e.g. 'Registered devices'. */
  label: string;
  /** All devices of one member, in display order. */
  devices: Device[];
  /** ID of the device that this session was signed in with. */
  signInZid: string;
  /** The user's permissions for these devices. Actions without permission are hidden. */
  can: { pause: boolean; remove: boolean; reportLost: boolean };
  /** True for the user's own devices only. */
  hasNicknames: boolean;
  actions: DeviceTableActions;
}

interface DeviceMenuProps {
  device: Device;
  /** Absent unless the device is new and another device can confirm it. */
  onConfirm: (() => void) | undefined;
  /** Absent if the user may not report devices lost. */
  onReportLost: (() => void) | undefined;
  onDelete: (() => void) | undefined;
  /** Reason why the device can't be deleted; undefined if it can. */
  deleteObstacle: string | undefined;
}

/** Menu of rarely used device actions. A disabled item stays focusable and shows the reason. */
function DeviceMenu({ device, onConfirm, onReportLost, onDelete, deleteObstacle }: DeviceMenuProps) {
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

interface DeviceRowProps extends Omit<DevicesTableProps, 'label'> {
  device: Device;
}

/** Displays a device as an expandable table row, or as a small card on a phone. */
function DeviceRow({ device, devices, signInZid, can, hasNicknames, actions }: DeviceRowProps) {
  const detailsId = useId();
  const [isExpanded, setIsExpanded] = useState(false);
  const situation = { device, devices, signInZid };
  const line = isExpanded ? '0' : '1px';
  const cell = {
    role: 'cell',
    display: { base: 'block', xs: 'table-cell' },
    h: { base: 'auto', xs: '15' },
    py: { base: '1', xs: '3.5' },
    borderBottomWidth: { base: '0', xs: line },
  } as const;
  return (
    <>
      <Table.Row
        role="row"
        display={{ base: 'grid', xs: 'table-row' }}
        gridTemplateAreas={`"device actions" "${hasNicknames ? 'nickname' : '.'} status"`}
        gridTemplateColumns="minmax(0, 1fr) auto"
        alignItems="center"
        py={{ base: '2.5', xs: '0' }}
        borderBottomWidth={{ base: line, xs: '0' }}
        _last={{ borderBottomWidth: '0' }}
      >
        <Table.Cell {...cell} gridArea="device" pe={{ base: '0', xs: '4' }}>
          <chakra.button
            type="button"
            className="group"
            aria-expanded={isExpanded}
            aria-controls={isExpanded ? detailsId : undefined}
            onClick={() => setIsExpanded(!isExpanded)}
            display="flex"
            alignItems="center"
            gap="3"
            maxW="full"
            textAlign="start"
            cursor="pointer"
            borderRadius="l2"
            outline="0"
            focusVisibleRing="outside"
          >
            <DeviceIcon type={device.type} hasTile />
            <Box minW="0">
              <Flex align="center" wrap="wrap" columnGap="2.5">
                <Flex as="span" align="center" gap="1" fontWeight="semibold">
                  <chakra.span overflowWrap="anywhere">{device.name}</chakra.span>
                  <Chevron isExpanded={isExpanded} />
                </Flex>
                {device.zid === signInZid && <StatusBadge status={t`This sign-in`} tone="info" />}
              </Flex>
              <Text textStyle="sm" color="fg.muted">
                {hasNicknames
                  ? deviceTypeLabel[device.type]
                  : joinWithDots(device.nickName, deviceTypeLabel[device.type])}
              </Text>
              {device.approvesFrom && (
                <Text textStyle="sm" color="fg.muted" whiteSpace="normal">
                  {t`Can approve changes from ${formatDateTime(device.approvesFrom)}`}
                </Text>
              )}
            </Box>
          </chakra.button>
        </Table.Cell>
        {hasNicknames && (
          <Table.Cell {...cell} gridArea="nickname" ps={{ base: '17', xs: '5' }} pe="1">
            <NicknameEditor device={device} onSave={(nickname) => void actions.rename(device, nickname)} />
          </Table.Cell>
        )}
        <Table.Cell {...cell} gridArea="status" pe={{ base: '5', xs: '2' }} textAlign={{ base: 'end', xs: 'start' }}>
          {device.status === 'active' ? (
            <StatusBadge status={t`Active`} tone="success" />
          ) : (
            <StatusBadge status={t`Paused`} tone="warning" />
          )}
        </Table.Cell>
        <Table.Cell {...cell} gridArea="actions" pe="3">
          <Flex align="center" justify="flex-end" gap="1">
            {can.pause && (
              <DeviceToggle
                device={device}
                obstacle={obstacleTo('pause', situation)}
                onChange={(status) => actions.setStatus(device, status)}
              />
            )}
            <DeviceMenu
              device={device}
              onConfirm={
                actions.confirm && isConfirmable(device, devices) ? () => actions.confirm?.(device) : undefined
              }
              onReportLost={can.reportLost ? () => actions.askReportLost(device) : undefined}
              onDelete={can.remove ? () => actions.askRemove(device) : undefined}
              deleteObstacle={obstacleTo('delete', situation)}
            />
          </Flex>
        </Table.Cell>
      </Table.Row>
      {isExpanded && (
        <Table.Row
          role="row"
          id={detailsId}
          display={{ base: 'block', xs: 'table-row' }}
          borderBottomWidth={{ base: '1px', xs: '0' }}
          _last={{ borderBottomWidth: '0' }}
        >
          <Table.Cell
            {...cell}
            borderBottomWidth={{ base: '0', xs: '1px' }}
            colSpan={hasNicknames ? 4 : 3}
            pt="0"
            pb="4"
          >
            <Flex as="dl" columnGap="10" rowGap="2" ps="12" wrap="wrap" animationStyle="appear">
              <Moment label={t`Registered`} at={device.registeredDate} />
              <Moment label={t`Last Active`} at={device.lastLogin} />
            </Flex>
          </Table.Cell>
        </Table.Row>
      )}
    </>
  );
}

function Chevron({ isExpanded }: { isExpanded: boolean }) {
  return (
    <Box
      as="span"
      color="fg.subtle"
      transform={isExpanded ? 'rotate(90deg)' : undefined}
      transition="transform 150ms"
      _groupHover={{ color: 'fg' }}
    >
      <ChevronRight size={16} aria-hidden />
    </Box>
  );
}

function Moment({ label, at }: { label: string; at: string | null }) {
  return (
    <Box>
      <Text as="dt" textStyle="sm" color="fg.muted">
        {label}
      </Text>
      <Text as="dd">{formatDateTime(at)}</Text>
    </Box>
  );
}

/** Lists a member's devices, in a table of at most 448 px with a sticky header or as cards on a phone. */
export function DevicesTable({ label, ...row }: DevicesTableProps) {
  const columns = row.hasNicknames
    ? [t`Device`, t`Nickname`, t`Status`, t`Actions`]
    : [t`Device`, t`Status`, t`Actions`];
  return (
    <Table.ScrollArea whiteSpace={{ base: 'normal', xs: 'nowrap' }} maxH={{ xs: '448px' }} overflowY="auto">
      <Table.Root role="table" aria-label={label} display={{ base: 'block', xs: 'table' }}>
        <Table.Header role="rowgroup" srOnly={{ base: true, xs: false }}>
          <Table.Row role="row">
            {columns.map((column) => (
              <Table.ColumnHeader
                key={column}
                role="columnheader"
                scope="col"
                textAlign={column === t`Actions` ? 'end' : 'start'}
                // As wide as the nickname editor, because opening the editor must not move the columns.
                w={column === t`Nickname` ? '38' : undefined}
              >
                {column}
              </Table.ColumnHeader>
            ))}
          </Table.Row>
        </Table.Header>
        <Table.Body
          role="rowgroup"
          display={{ base: 'block', xs: 'table-row-group' }}
          css={{ '& > tr:last-of-type > td': { borderBottomWidth: '0' } }}
        >
          {row.devices.map((device) => (
            <DeviceRow key={device.zid} device={device} {...row} />
          ))}
        </Table.Body>
      </Table.Root>
    </Table.ScrollArea>
  );
}
