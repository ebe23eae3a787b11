import { Table, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { AuditEvent } from '@orchestrate/shared';
import { fieldLabel, type ValueOf, valueText } from './event-words.ts';

interface ChangesTableProps {
  /** Accessible table name, e.g. 'Changed fields'. */
  label: string;
  /** Object type, which determines how fields are labelled. */
  type: string;
  changes: AuditEvent['changes'];
}

/** Narrow padding on small phones, where three columns share the width. */
const PADDING = { px: { base: '2', sm: '4' } } as const;
const CELL = { ...PADDING, verticalAlign: 'top' } as const;

/** Shows fields before and after a change, or only their values for a new object. */
export function ChangesTable({ label, type, changes }: ChangesTableProps) {
  const isNew = changes.every(({ before }) => before === undefined);
  const shown = isNew
    ? changes.filter(({ field, after }) => valueText(after, { field, type }) !== valueText(undefined, { field, type }))
    : changes;
  return (
    <Table.ScrollArea borderWidth="1px" borderRadius="l2" maxW="fields">
      <Table.Root aria-label={label} size="sm" tableLayout="fixed">
        <Table.Header>
          <Table.Row>
            {[t`Field`, ...(isNew ? [] : [t`Before`]), isNew ? t`Value` : t`After`].map((column) => (
              <Table.ColumnHeader key={column} scope="col" {...PADDING}>
                {column}
              </Table.ColumnHeader>
            ))}
          </Table.Row>
        </Table.Header>
        <Table.Body>
          {shown.map(({ field, before, after }) => (
            <Table.Row key={field}>
              <Table.Cell fontWeight="medium" whiteSpace="normal" overflowWrap="anywhere" {...CELL}>
                {fieldLabel(field)}
              </Table.Cell>
              {!isNew && (
                <Table.Cell color="fg.muted" {...CELL}>
                  <Value value={before} of={{ field, type }} />
                </Table.Cell>
              )}
              <Table.Cell {...CELL}>
                <Value value={after} of={{ field, type }} />
              </Table.Cell>
            </Table.Row>
          ))}
        </Table.Body>
      </Table.Root>
    </Table.ScrollArea>
  );
}

/** Shows a value, truncated if it is long, such as metadata. */
const Value = ({ value, of }: { value: AuditEvent['changes'][number]['after']; of: ValueOf }) => (
  <Text whiteSpace="normal" overflowWrap="anywhere" lineClamp="8">
    {valueText(value, of)}
  </Text>
);
