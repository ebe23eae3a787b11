import { Button, Flex, Input, Skeleton, Table, Text } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import {
  createScimSchema,
  deleteScimSchema,
  LIMITS,
  listScimSchemas,
  type ScimSchema,
  updateScimSchema,
} from '@orchestrate/shared';
import { Braces, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { FormProvider, type Resolver, useFieldArray, useForm } from 'react-hook-form';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { useRead } from '#lib/api/use-read.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { keepFieldFocus } from '#lib/browser/focus.ts';
import { useValueDuringExit } from '#lib/browser/held-values.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { toast } from '#lib/notices/toaster.ts';
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx';
import { useEditedItem } from '#ui/editing/interrupted.ts';
import { useTypedDraft } from '#ui/editing/use-typed-draft.tsx';
import { ActionButton } from '#ui/feedback/action-button.tsx';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { ExplainedButton } from '#ui/feedback/explained-button.tsx';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';
import { Checkbox } from '#ui/form/checkbox.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { FormModal } from '#ui/form/form-modal.tsx';
import { EmptyState } from '#ui/list/empty-state.tsx';
import { Section } from '#ui/list/section.tsx';
import { TableFrame } from '#ui/list/table-frame.tsx';
import { AttributeFields, errorTextOf } from './attribute-fields.tsx';
import { NEW_ATTRIBUTE, type SchemaForm, schemaForm, schemaFormOf, withoutUnusedValues } from './schema-form.ts';

const checked = zodResolver(schemaForm);
/** Validates only the values that will be sent. */
const resolver: Resolver<SchemaForm> = (values, context, options) =>
  checked(withoutUnusedValues(values), context, options as Parameters<typeof checked>[2]);

/** Returns true if the dialog has a field that can show validation errors for this path. */
const isField = (path: string): path is 'urn' | `attributes.${number}.name` =>
  path === 'urn' || /^attributes\.\d+\.name$/.test(path);

interface SchemaDialogProps {
  /** Schema to edit, 'new' to add one, or undefined while the dialog is closed. */
  edited: ScimSchema | 'new' | undefined;
  onClose: () => void;
  onSaved: () => void;
}

/** Adds or edits a schema. */
function SchemaDialog({ edited, onClose, onSaved }: SchemaDialogProps) {
  const isNew = edited === 'new';
  const creating = useWrite(createScimSchema);
  const updating = useWrite(updateScimSchema);
  const { refusal, isPending } = isNew ? creating : updating;
  const [deleteValues, setDeleteValues] = useState(false);
  const form = useForm<SchemaForm>({ resolver, mode: 'onTouched', values: schemaFormOf(edited) });
  const { register, handleSubmit, formState, reset, setError, control } = form;
  const restored = useTypedDraft({
    form,
    name: `scim schema ${isNew ? 'new' : edited?.schemaId}`,
    isOpen: edited !== undefined,
  });
  const { fields, append, remove } = useFieldArray({ control, name: 'attributes' });
  const { errors, isDirty } = formState;
  const ofAll = errorTextOf(errors.attributes);
  const loss = refusal?.issues.find(({ path }) => path === 'deleteValues');
  const isInFields = refusal?.issues.some(({ path }) => isField(path)) === true;
  const verb = isNew ? t`Add schema` : t`Save`;

  const submit = handleSubmit(async (values) => {
    const { urn, ...body } = withoutUnusedValues(values);
    try {
      if (isNew) await creating.run({ body: { urn, ...body } });
      else if (edited) {
        const params = { schemaId: edited.schemaId };
        await updating.run({ params, body: { ...body, deleteValues } }, { ifMatch: edited.version });
      }
    } catch (failure) {
      if (!(failure instanceof ApiRefusal)) throw failure;
      for (const { path, message } of failure.issues) {
        if (isField(path)) setError(path, { message });
      }
      return;
    }
    toast.success(isNew ? t`Schema added` : t`Schema saved`);
    onSaved();
    onClose();
  });
  const forget = () => {
    reset();
    creating.reset();
    updating.reset();
    setDeleteValues(false);
  };
  const input = { autoComplete: 'off', spellCheck: false };

  return (
    <FormModal
      isOpen={edited !== undefined}
      onClose={onClose}
      onExitComplete={forget}
      size="lg"
      title={isNew ? t`Add schema` : t`Edit schema`}
      verb={verb}
      onSubmit={submit}
      isDirty={isDirty}
      isPending={isPending}
      error={refusal && !loss && !isInFields && resultText(refusal)}
    >
      {restored}
      <FormProvider {...form}>
        <FormField label={t`Name`} isRequired error={errors.name?.message}>
          <Input {...register('name')} maxLength={100} autoComplete="off" placeholder={t`HR`} />
        </FormField>
        <FormField
          label={t`URN`}
          isRequired
          help={t`The URN that your directory uses for these attributes. It can't be changed later.`}
          error={errors.urn?.message}
        >
          <Input
            {...register('urn')}
            {...input}
            maxLength={200}
            fontFamily="mono"
            readOnly={!isNew}
            placeholder={t`urn:example:hr:2.0:User`}
          />
        </FormField>
        <FormField label={t`Description`} error={errors.description?.message}>
          <Input {...register('description')} maxLength={300} autoComplete="off" />
        </FormField>
        {fields.map(({ id }, at) => (
          <AttributeFields
            key={id}
            path={`attributes.${at}`}
            name={t`Attribute ${at + 1}`}
            onRemove={fields.length > 1 ? () => remove(at) : undefined}
          />
        ))}
        {ofAll && <AlertLine>{ofAll}</AlertLine>}
        {fields.length < LIMITS.scimAttributes && (
          <Button
            {...keepFieldFocus}
            variant="outline"
            size="sm"
            alignSelf="flex-start"
            onClick={() => append(NEW_ATTRIBUTE)}
          >
            <Plus />
            {t`Add attribute`}
          </Button>
        )}
        {loss && (
          <Flex direction="column" gap="2">
            <AlertLine>{loss.message.replace(/\. .*/, '.')}</AlertLine>
            <Checkbox
              label={t`Delete these values. This can't be undone.`}
              isChecked={deleteValues}
              onChange={setDeleteValues}
            />
          </Flex>
        )}
      </FormProvider>
    </FormModal>
  );
}

/** Lists the organisation's SCIM schemas. */
export function ScimSchemas() {
  const [deleted, setDeleted] = useState<ScimSchema>();
  const { data, refusal, refetch } = useRead(listScimSchemas, {});
  const { edited, edit, close } = useEditedItem('scim schema ', data?.schemas, ({ schemaId }) => schemaId);
  const isFull = (data?.schemas.length ?? 0) >= LIMITS.scimSchemas;
  return (
    <Section
      title={t`Schemas`}
      isFlush
      aside={
        <ExplainedButton
          size="sm"
          variant="outline"
          obstacle={
            isFull ? t`You've reached the limit of ${LIMITS.scimSchemas} schemas. Delete one first.` : undefined
          }
          onClick={() => edit('new')}
        >
          <Plus />
          {t`Add schema`}
        </ExplainedButton>
      }
    >
      {data ? (
        <List schemas={data.schemas} onEdit={edit} onDelete={setDeleted} />
      ) : refusal ? (
        <RefusalState refusal={refusal} onRetry={refetch} />
      ) : (
        <Skeleton h="24" m="4" borderRadius="l2" role="status" aria-label={t`Loading schemas`} />
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
        isCompact
        icon={Braces}
        title={t`No schemas yet`}
        description={t`Add a schema for attributes that your directory sends in addition to the standard ones, such as a cost code.`}
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
      // The dialog shows the reason from `refusal`.
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
        t`All members lose their values for this schema.`,
        t`Values that your directory sends for this schema will be ignored.`,
        t`This can't be undone.`,
      ]}
      isDestructive
      isPending={isPending}
      error={refusal && resultText(refusal)}
    />
  );
}
