import { Box, Button, Flex, IconButton, Input } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { LIMITS } from '@orchestrate/shared';
import { Plus, X } from 'lucide-react';
import { useId } from 'react';
import { useFieldArray, useFormContext } from 'react-hook-form';
import { keepFieldFocus } from '#lib/browser/focus.ts';
import { Hint } from '#ui/feedback/hint.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { Select } from '#ui/form/select.tsx';
import { Section } from '#ui/list/section.tsx';
import type { AppForm } from '../editor/app-form.ts';
import { useMemberFields, useTemplateProblem } from './use-template-problem.ts';

const PLACEHOLDERS = {
  Format: 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic',
  Transform: '${firstName} ${lastName}',
};

/** Edits the attributes sent to a service provider, one to five (spec 2 §5). */
export function SamlAttributes() {
  const { control } = useFormContext<AppForm>();
  const { fields, append, remove } = useFieldArray({ control, name: 'saml.attributes' });
  const listId = useId();
  const memberFields = useMemberFields();
  return (
    <Section title={t`SAML attributes`} description={t`Member data that the service provider receives.`}>
      <Flex direction="column" gap="4" maxW="fields">
        {fields.map(({ id }, at) => (
          <Attribute key={id} at={at} listId={listId} onRemove={fields.length > 1 ? () => remove(at) : undefined} />
        ))}
        <datalist id={listId}>
          {memberFields.map((field) => (
            <option key={field} value={field} />
          ))}
        </datalist>
        {fields.length < LIMITS.samlAttributes && (
          <Button
            {...keepFieldFocus}
            variant="outline"
            size="sm"
            alignSelf="flex-start"
            onClick={() => append({ name: '', configs: [] })}
          >
            <Plus />
            {t`Add attribute`}
          </Button>
        )}
      </Flex>
    </Section>
  );
}

interface AttributeProps {
  at: number;
  listId: string;
  /** Absent if there is only one attribute, which can't be removed. */
  onRemove: (() => void) | undefined;
}

function Attribute({ at, listId, onRemove }: AttributeProps) {
  const { control, register, formState, getValues } = useFormContext<AppForm>();
  const { fields, append, remove } = useFieldArray({ control, name: `saml.attributes.${at}.configs` });
  const wrong = formState.errors.saml?.attributes?.[at];
  const name = t`Attribute ${at + 1}`;
  const addConfig = () => {
    const first = getValues(`saml.attributes.${at}.configs.0.type`);
    append({ type: first === 'Format' ? 'Transform' : 'Format', value: '' });
  };
  return (
    <Box role="group" aria-label={name} p="4" borderWidth="1px" borderRadius="l2" bg="bg.subtle">
      <Flex direction="column" gap="4">
        <FormField label={name} isRequired error={wrong?.name?.message}>
          <Flex gap="2">
            <Input
              {...register(`saml.attributes.${at}.name`)}
              list={listId}
              maxLength={200}
              autoComplete="off"
              spellCheck={false}
            />
            {onRemove && (
              <Hint text={t`Remove ${name}`}>
                <IconButton {...keepFieldFocus} variant="ghost" aria-label={t`Remove ${name}`} onClick={onRemove}>
                  <X />
                </IconButton>
              </Hint>
            )}
          </Flex>
        </FormField>
        {fields.map(({ id }, row) => (
          <ConfigRow key={id} attribute={at} row={row} onRemove={() => remove(row)} />
        ))}
        {fields.length < LIMITS.samlAttributeConfigs && (
          <Button {...keepFieldFocus} variant="ghost" size="sm" alignSelf="flex-start" onClick={addConfig}>
            <Plus />
            {t`Add config`}
          </Button>
        )}
      </Flex>
    </Box>
  );
}

interface ConfigRowProps {
  attribute: number;
  row: number;
  onRemove: () => void;
}

/** Edits one format or transformation of an attribute. */
function ConfigRow({ attribute, row, onRemove }: ConfigRowProps) {
  const { register, formState, watch } = useFormContext<AppForm>();
  const path = `saml.attributes.${attribute}.configs.${row}` as const;
  const wrong = formState.errors.saml?.attributes?.[attribute]?.configs?.[row];
  const type = watch(`${path}.type`) ?? 'Format';
  const value = watch(`${path}.value`);
  const problem = useTemplateProblem(type === 'Transform' ? value : '');
  return (
    <Flex gap="2" align="flex-start" wrap="wrap">
      <Box w="40" flexShrink="0">
        <FormField label={t`Type`} error={wrong?.type?.message}>
          <Select {...register(`${path}.type`)}>
            <option value="Format">{t`Format`}</option>
            <option value="Transform">{t`Transform`}</option>
          </Select>
        </FormField>
      </Box>
      <Box flex="1 1 14rem" minW="0">
        <FormField label={t`Value`} isRequired error={problem ?? wrong?.value?.message}>
          <Flex gap="2">
            <Input
              {...register(`${path}.value`)}
              placeholder={PLACEHOLDERS[type]}
              maxLength={500}
              autoComplete="off"
              spellCheck={false}
            />
            <Hint text={t`Remove config`}>
              <IconButton
                {...keepFieldFocus}
                variant="ghost"
                aria-label={t`Remove config ${row + 1} of attribute ${attribute + 1}`}
                onClick={onRemove}
              >
                <X />
              </IconButton>
            </Hint>
          </Flex>
        </FormField>
      </Box>
    </Flex>
  );
}
