import { Table } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';

interface TableFrameProps {
  label: string;
  headings: readonly string[];
  /** The heading of the last column. */
  last?: string;
  /** The rows; their last cell holds the actions. */
  children: ReactNode;
}

/** A table that scrolls sideways where it must, whose last column holds what can be done with each row. */
export function TableFrame({ label, headings, last = t`Actions`, children }: TableFrameProps) {
  return (
    <Table.ScrollArea>
      <Table.Root aria-label={label}>
        <Table.Header>
          <Table.Row>
            {headings.map((heading) => (
              <Table.ColumnHeader key={heading} scope="col">
                {heading}
              </Table.ColumnHeader>
            ))}
            <Table.ColumnHeader scope="col" textAlign="end">
              {last}
            </Table.ColumnHeader>
          </Table.Row>
        </Table.Header>
        <Table.Body>{children}</Table.Body>
      </Table.Root>
    </Table.ScrollArea>
  );
}
