import { Button, Flex, Input, Skeleton, Table, Text } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import {
  type ApiResource,
  apiResourceForm,
  createApiResource,
  deleteApiResource,
  listApiResources,
  resourceIdentifier,
  updateApiResource,
} from '@orchestrate/shared';
import { Braces, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { useRead } from '#lib/api/use-read.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { toast } from '#lib/notices/toaster.ts';
import { useEditedItem } from '#ui/editing/interrupted.ts';
import { useTypedDraft } from '#ui/editing/use-typed-draft.tsx';
import { ActionButton } from '#ui/feedback/action-button.tsx';
import { CopyButton } from '#ui/feedback/copy-button.tsx';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { FormModal } from '#ui/form/form-modal.tsx';
import { TextArea } from '#ui/form/text-area.tsx';
import { EmptyState } from '#ui/list/empty-state.tsx';
import { Section } from '#ui/list/section.tsx';
import { TableFrame } from '#ui/list/table-frame.tsx';
import { ConfirmWrite } from '../confirm-write.tsx';

const scopesOf = (typed: string): string[] => typed.split(/\s+/).filter(Boolean);

const fields = z.object({
  name: apiResourceForm.shape.name,
  identifier: resourceIdentifier,
  /** Scopes, one per line. */
  scopes: z.string().superRefine((typed, context) => {
    const { error } = apiResourceForm.shape.scopes.safeParse(scopesOf(typed));
    if (error) context.addIssue({ code: 'custom', message: error.issues[0]?.message ?? '' });
  }),
});
type Form = z.output<typeof fields>;

interface ApiResourceDialogProps {
  /** The API to edit, or 'new' to add one. Undefined closes the dialog. */
  edited: ApiResource | 'new' | undefined;
  onClose: () => void;
  onSaved: () => void;
}

/** A dialog to add an API, or to edit its name and scopes. */
function ApiResourceDialog({ edited, onClose, onSaved }: ApiResourceDialogProps) {
  const isNew = edited === 'new';
  const creating = useWrite(createApiResource);
  const updating = useWrite(updateApiResource);
  const { refusal, isPending } = isNew ? creating : updating;
  const form = useForm<Form>({
    resolver: zodResolver(fields),
    mode: 'onTouched',
    values:
      edited === undefined || isNew
        ? { name: '', identifier: '', scopes: '' }
        : { name: edited.name, identifier: edited.identifier, scopes: edited.scopes.join('\n') },
  });
  const { register, handleSubmit, formState, reset } = form;
  const restored = useTypedDraft({
    form,
    name: `api ${isNew ? 'new' : edited?.resourceId}`,
    isOpen: edited !== undefined,
  });
  const { errors, isDirty } = formState;
  const taken = refusal?.issues.find(({ path }) => path === 'identifier')?.message;

  const submit = handleSubmit(async ({ name, identifier, scopes: typed }) => {
    const scopes = scopesOf(typed);
    try {
      if (isNew) await creating.run({ body: { name, identifier, scopes } });
      else if (edited) {
        const params = { resourceId: edited.resourceId };
        await updating.run({ params, body: { name, scopes } }, { ifMatch: edited.version });
      }
    } catch (failure) {
      // The form already displays refusals, so handle only other errors here.
      if (failure instanceof ApiRefusal) return;
      throw failure;
    }
    toast.success(isNew ? t`API added` : t`API saved`);
    onSaved();
    onClose();
  });
  const forget = () => {
    reset();
    creating.reset();
    updating.reset();
  };

  return (
    <FormModal
      isOpen={edited !== undefined}
      onClose={onClose}
      onExitComplete={forget}
      title={isNew ? t`Add API` : t`Edit API`}
      verb={isNew ? t`Add API` : t`Save`}
      onSubmit={submit}
      isDirty={isDirty}
      isPending={isPending}
      error={refusal && taken === undefined && resultText(refusal)}
    >
      {restored}
      <FormField label={t`Name`} isRequired error={errors.name?.message}>
        <Input {...register('name')} maxLength={100} autoComplete="off" placeholder={t`Orders`} />
      </FormField>
      <FormField
        label={t`Identifier`}
        isRequired
        help={t`The audience of the API's tokens. Applications send it as the resource parameter. You can't change it later.`}
        error={errors.identifier?.message ?? taken}
      >
        <Input
          {...register('identifier')}
          maxLength={500}
          autoComplete="off"
          spellCheck={false}
          fontFamily="mono"
          readOnly={!isNew}
          placeholder={t`https://orders.example.com`}
        />
      </FormField>
      <FormField label={t`Scopes`} help={t`One per line, such as orders:read.`} error={errors.scopes?.message}>
        <TextArea {...register('scopes')} rows={4} spellCheck={false} fontFamily="mono" />
      </FormField>
    </FormModal>
  );
}

/** Lists the APIs that applications can request access tokens for. */
export function ApiResources() {
  const [deleted, setDeleted] = useState<ApiResource>();
  const { data, refusal, refetch } = useRead(listApiResources, {});
  const { edited, edit, close } = useEditedItem('api ', data?.resources, ({ resourceId }) => resourceId);
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
        <Skeleton h="24" m="4" borderRadius="l2" role="status" aria-label={t`Loading APIs`} />
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
          t`Applications can no longer obtain tokens for this API.`,
          t`Tokens already issued stay valid until they expire.`,
          t`This can't be undone.`,
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
        description={t`Add an API to let applications request access tokens that the API can validate itself.`}
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
