import { Button, Flex, Skeleton, Table, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type ApiResource, deleteApiResource, listApiResources } from '@orchestrate/shared';
import { Braces, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useEdited } from '../../../editing/interrupted.ts';
import { useRead } from '../../../lib/api/use-read.ts';
import { ActionButton } from '../../../ui/action-button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { RefusalState } from '../../../ui/refusal-state.tsx';
import { Section } from '../../../ui/section.tsx';
import { TableFrame } from '../../../ui/table-frame.tsx';
import { ConfirmWrite } from '../confirm-write.tsx';
import { ApiResourceDialog } from './api-resource-dialog.tsx';

/** The APIs for which applications ask for access tokens. */
export function ApiResources() {
  const [deleted, setDeleted] = useState<ApiResource>();
  const { data, refusal, refetch } = useRead(listApiResources, {});
  const { edited, edit, close } = useEdited('api ', data?.resources, ({ resourceId }) => resourceId);
  if (refusal?.status === 403) return null;
  return (
    <Section
      title={t`APIs`}
      isFlush
      aside={
        <Button size="sm" variant="outline" onClick={() => edit('new')}>
          <Plus />
          {t`Add API`}
        </Button>
      }
    >
      {data ? (
        <List resources={data.resources} onEdit={edit} onDelete={setDeleted} />
      ) : refusal ? (
        <RefusalState refusal={refusal} onRetry={refetch} />
      ) : (
        <Skeleton h="24" m="4" borderRadius="l2" role="status" aria-label={t`Loading the APIs`} />
      )}
      <ApiResourceDialog edited={edited} onClose={close} onSaved={() => void refetch()} />
      <ConfirmWrite
        entry={deleteApiResource}
        input={deleted && { params: { resourceId: deleted.resourceId } }}
        onClose={() => setDeleted(undefined)}
        onDone={() => void refetch()}
        done={t`API deleted`}
        title={t`Delete this API?`}
        verb={t`Delete API`}
        isDestructive
        consequences={[
          t`No application gets another token for it.`,
          t`Tokens already issued stay valid until they expire.`,
          t`This cannot be undone.`,
        ]}
      />
    </Section>
  );
}

interface ListProps {
  resources: readonly ApiResource[];
  onEdit: (resource: ApiResource) => void;
  onDelete: (resource: ApiResource) => void;
}

function List({ resources, onEdit, onDelete }: ListProps) {
  if (resources.length === 0)
    return (
      <EmptyState
        icon={Braces}
        title={t`No APIs yet`}
        description={t`Add an API to let applications request access tokens that it can validate on its own.`}
      />
    );
  return (
    <TableFrame label={t`APIs`} headings={['API', t`Identifier`, t`Scopes`]}>
      {resources.map((resource) => (
        <Table.Row key={resource.resourceId}>
          <Table.Cell fontWeight="medium">{resource.name}</Table.Cell>
          <Table.Cell>
            <Flex align="center" gap="1">
              <Text as="span" textStyle="code" fontSize="sm" overflowWrap="anywhere">
                {resource.identifier}
              </Text>
              <CopyButton text={resource.identifier} label={t`Copy identifier`} />
            </Flex>
          </Table.Cell>
          <Table.Cell textStyle="code" fontSize="sm" overflowWrap="anywhere">
            {resource.scopes.join(', ') || '–'}
          </Table.Cell>
          <Table.Cell textAlign="end" whiteSpace="nowrap">
            <ActionButton label={t`Edit ${resource.name}`} onClick={() => onEdit(resource)}>
              <Pencil />
            </ActionButton>
            <ActionButton label={t`Delete ${resource.name}`} onClick={() => onDelete(resource)}>
              <Trash2 />
            </ActionButton>
          </Table.Cell>
        </Table.Row>
      ))}
    </TableFrame>
  );
}
