import { Table } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { DeviceRow } from './device-row.tsx';
import type { DevicesTableProps } from './devices-table-props.ts';

/** A member's devices: at most 448 px high, under a header that stays. On a phone each row becomes a small card. */
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
                // As wide as the editor of a nickname, so that no column moves when one opens.
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
