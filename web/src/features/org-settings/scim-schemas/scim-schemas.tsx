import { Skeleton, Table, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { deleteScimSchema, LIMITS, listScimSchemas, type ScimSchema } from '@orchestrate/shared';
import { Braces, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useEdited } from '../../../editing/interrupted.ts';
import { useRead } from '../../../lib/api/use-read.ts';
import { useWrite } from '../../../lib/api/use-write.ts';
import { resultText } from '../../../lib/notices/result-text.ts';
import { toast } from '../../../lib/notices/toaster.ts';
import { ActionButton } from '../../../ui/action-button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ObstructedButton } from '../../../ui/obstructed-button.tsx';
import { RefusalState } from '../../../ui/refusal-state.tsx';
import { Section } from '../../../ui/section.tsx';
import { TableFrame } from '../../../ui/table-frame.tsx';
import { useValueDuringExit } from '../../../ui/use-value-during-exit.ts';
import { SchemaDialog } from './schema-dialog.tsx';

/** The schemas that the organisation has registered for its directory. */
export function ScimSchemas() {
  const [deleted, setDeleted] = useState<ScimSchema>();
  const { data, refusal, refetch } = useRead(listScimSchemas, {});
  const { edited, edit, close } = useEdited('scim schema ', data?.schemas, ({ schemaId }) => schemaId);
  const isFull = (data?.schemas.length ?? 0) >= LIMITS.scimSchemas;
  return (
    <Section
      title={t`Schemas`}
      isFlush
      aside={
        <ObstructedButton
          size="sm"
          variant="outline"
          obstacle={isFull ? t`At most ${LIMITS.scimSchemas} schemas; delete one first` : undefined}
          onClick={() => edit('new')}
        >
          <Plus />
          {t`Add schema`}
        </ObstructedButton>
      }
    >
      {data ? (
        <List schemas={data.schemas} onEdit={edit} onDelete={setDeleted} />
      ) : refusal ? (
        <RefusalState refusal={refusal} onRetry={refetch} />
      ) : (
        <Skeleton h="24" m="4" borderRadius="l2" role="status" aria-label={t`Loading the schemas`} />
      )}
      <SchemaDialog edited={edited} onClose={close} onSaved={() => void refetch()} />
      <DeleteDialog schema={deleted} onClose={() => setDeleted(undefined)} onDeleted={() => void refetch()} />
    </Section>
  );
}

interface ListProps {
  schemas: readonly ScimSchema[];
  onEdit: (schema: ScimSchema) => void;
  onDelete: (schema: ScimSchema) => void;
}

function List({ schemas, onEdit, onDelete }: ListProps) {
  if (schemas.length === 0)
    return (
      <EmptyState
        icon={Braces}
        title={t`No schemas`}
        description={t`Add one for what your directory says about people beyond the standard attributes, such as a cost code.`}
      />
    );
  return (
    <TableFrame label={t`Schemas`} headings={[t`Schema`, t`Attributes`]}>
      {schemas.map((schema) => (
        <Table.Row key={schema.schemaId}>
          <Table.Cell>
            <Text fontWeight="medium" overflowWrap="anywhere">
              {schema.name}
            </Text>
            <Text textStyle="code" fontSize="sm" color="fg.muted" overflowWrap="anywhere">
              {schema.urn}
            </Text>
          </Table.Cell>
          <Table.Cell textStyle="code" fontSize="sm" overflowWrap="anywhere">
            {schema.attributes.map(({ name }) => name).join(', ')}
          </Table.Cell>
          <Table.Cell textAlign="end" whiteSpace="nowrap">
            <ActionButton label={t`Edit ${schema.name}`} onClick={() => onEdit(schema)}>
              <Pencil />
            </ActionButton>
            <ActionButton label={t`Delete ${schema.name}`} onClick={() => onDelete(schema)}>
              <Trash2 />
            </ActionButton>
          </Table.Cell>
        </Table.Row>
      ))}
    </TableFrame>
  );
}

interface DeleteDialogProps {
  schema: ScimSchema | undefined;
  onClose: () => void;
  onDeleted: () => void;
}

function DeleteDialog({ schema, onClose, onDeleted }: DeleteDialogProps) {
  const { run, isPending, refusal, reset } = useWrite(deleteScimSchema);
  const { shown } = useValueDuringExit(schema ?? null);
  const confirm = async () => {
    if (!schema) return;
    try {
      await run({ params: { schemaId: schema.schemaId }, body: { deleteValues: true } });
    } catch {
      // `refusal` shows why.
      return;
    }
    onDeleted();
    toast.success(t`Schema deleted`);
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen={schema !== undefined}
      onClose={onClose}
      onExitComplete={reset}
      onConfirm={() => void confirm()}
      title={t`Delete ${shown?.name ?? ''}?`}
      verb={t`Delete schema`}
      consequences={[
        t`Its values are deleted for everyone.`,
        t`What your directory says by it is left out from then on.`,
        t`This cannot be undone.`,
      ]}
      isDestructive
      isPending={isPending}
      error={refusal && resultText(refusal)}
    />
  );
}
