import { Box, Table } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { ChevronDown } from 'lucide-react';
import { Children, type ReactNode, useId, useState } from 'react';
import { ActionButton } from '../feedback/action-button.tsx';

interface ExpandActionProps {
  /** What the button shows or hides, e.g. 'request'. */
  what: string;
  isOpen: boolean;
  onToggle: () => void;
  /** ID of the element that the button expands. */
  controls: string;
  disabledReason?: string | undefined;
}

/** A button that expands or collapses a row. */
export function ExpandAction({ what, isOpen, onToggle, controls, disabledReason }: ExpandActionProps) {
  return (
    <ActionButton
      label={isOpen ? t`Hide ${what}` : t`Show ${what}`}
      disabledReason={disabledReason}
      aria-expanded={isOpen}
      aria-controls={isOpen ? controls : undefined}
      onClick={onToggle}
    >
      <Box asChild transform={isOpen ? 'rotate(180deg)' : undefined} transition="transform 150ms">
        <ChevronDown aria-hidden />
      </Box>
    </ActionButton>
  );
}

interface ExpandableRowProps {
  /** What the button shows or hides, e.g. 'request'. */
  what: string;
  /** Why the row has no details. */
  disabledReason?: string | undefined;
  details: ReactNode;
  /** All cells except the cell with the button. */
  children: ReactNode;
}

/** A `TableFrame` row with expandable details. */
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
