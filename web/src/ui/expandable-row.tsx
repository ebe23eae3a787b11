import { Table } from '@chakra-ui/react';
import { Children, type ReactNode, useId, useState } from 'react';
import { ExpandAction } from './expand-action.tsx';

interface ExpandableRowProps {
  /** What it shows, without its verb, e.g. 'what was sent'. */
  what: string;
  /** Why there is nothing more to show. */
  disabledReason?: string | undefined;
  details: ReactNode;
  /** The cells, without the one with the action. */
  children: ReactNode;
}

/** A row of a `TableFrame` that shows more below itself. */
export function ExpandableRow({ what, disabledReason, details, children }: ExpandableRowProps) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Table.Row>
        {children}
        <Table.Cell textAlign="end">
          <ExpandAction
            what={what}
            isOpen={isOpen}
            onToggle={() => setIsOpen(!isOpen)}
            controls={id}
            disabledReason={disabledReason}
          />
        </Table.Cell>
      </Table.Row>
      {isOpen && (
        <Table.Row id={id} bg="bg.subtle">
          <Table.Cell colSpan={Children.count(children) + 1}>{details}</Table.Cell>
        </Table.Row>
      )}
    </>
  );
}
