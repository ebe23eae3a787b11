import { Table } from '@chakra-ui/react';
import { type Device, LIMITS } from '@orchestrate/shared';
import { DeviceRow } from './device-row.tsx';

/** What the table hands on; nothing of it answers, the devices themselves do when they change. */
export interface DeviceTableActions {
  setStatus: (device: Device, status: Device['status']) => Promise<void>;
  rename: (device: Device, nickname: string) => Promise<void>;
  askRemove: (device: Device) => void;
  askReportLost: (device: Device) => void;
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

/** A member's devices: at most 448 px high, under a header that stays. On a phone each row becomes a small card. */
export function DevicesTable({ label, ...row }: DevicesTableProps) {
  const columns = row.hasNicknames ? ['Device', 'Nickname', 'Status', 'Actions'] : ['Device', 'Status', 'Actions'];
  return (
    <Table.ScrollArea maxH={{ xs: `${LIMITS.deviceTableMaxHeightPx}px` }} overflowY="auto">
      <Table.Root role="table" aria-label={label} display={{ base: 'block', xs: 'table' }}>
        <Table.Header role="rowgroup" srOnly={{ base: true, xs: false }}>
          <Table.Row role="row">
            {columns.map((column) => (
              <Table.ColumnHeader
                key={column}
                role="columnheader"
                scope="col"
                textAlign={column === 'Actions' ? 'end' : 'start'}
                // As wide as the editor of a nickname, so that no column moves when one opens.
                w={column === 'Nickname' ? '38' : undefined}
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
