import { Box, Button, Flex, IconButton, Input, SimpleGrid } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { LIMITS, SCIM_SIMPLE_TYPES, type ScimAttribute } from '@orchestrate/shared';
import { Plus, X } from 'lucide-react';
import { Controller, get, useFieldArray, useFormContext, useWatch } from 'react-hook-form';
import { keepFieldFocus } from '#lib/browser/focus.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { Hint } from '#ui/feedback/hint.tsx';
import { Checkbox } from '#ui/form/checkbox.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { Select } from '#ui/form/select.tsx';
import { TextArea } from '#ui/form/text-area.tsx';
import { NEW_SUB_ATTRIBUTE, type SchemaForm } from './schema-form.ts';

const TYPES: Record<ScimAttribute['type'], string> = {
  string: t`Text`,
  boolean: t`true or false`,
  integer: t`Whole number`,
  decimal: t({ message: 'Number', context: 'kind of value' }),
  dateTime: t`Date and time`,
  reference: t`Address`,
  binary: t`Binary`,
  complex: t`Object with sub-attributes`,
};

const MUTABILITY: Record<ScimAttribute['mutability'], string> = {
  readWrite: t`Any time`,
  immutable: t`Only once`,
};

const RETURNED: Record<ScimAttribute['returned'], string> = {
  default: t`Unless excluded`,
  always: t`Always`,
  request: t`Only on request`,
};

/** Returns the message of a react-hook-form error, either for a list as a whole or for an element. */
export function errorTextOf(error: unknown): string | undefined {
  const own: unknown = get(error, 'root.message') ?? get(error, 'message');
  return typeof own === 'string' ? own : undefined;
}

type AttributePath = `attributes.${number}`;
type SubAttributePath = `attributes.${number}.subAttributes.${number}`;

interface AttributeFieldsProps {
  path: AttributePath | SubAttributePath;
  /** Display name such as “Attribute 2”. */
  name: string;
  /** Undefined if the attribute can't be removed because at least one is required. */
  onRemove: (() => void) | undefined;
}

const isSubAttribute = (path: AttributePath | SubAttributePath): path is SubAttributePath =>
  path.includes('subAttributes');

/** Edits an attribute or sub-attribute. */
export function AttributeFields({ path, name, onRemove }: AttributeFieldsProps) {
  const { control, register, formState } = useFormContext<SchemaForm>();
  const type: ScimAttribute['type'] = useWatch({ control, name: `${path}.type` }) ?? 'string';
  const errorOf = (field: string): string | undefined => {
    const error: unknown = get(formState.errors, `${path}.${field}`);
    return errorTextOf(Array.isArray(error) ? error.find(Boolean) : error);
  };
  const input = { autoComplete: 'off', spellCheck: false };
  const box = (field: 'multiValued' | 'required' | 'caseExact', label: string) => (
    <Controller
      control={control}
      name={`${path}.${field}` as `attributes.${number}.required`}
      render={({ field: { value, onChange } }) => <Checkbox label={label} isChecked={value} onChange={onChange} />}
    />
  );
  const types = isSubAttribute(path) ? SCIM_SIMPLE_TYPES : ([...SCIM_SIMPLE_TYPES, 'complex'] as const);
  return (
    <Box
      role="group"
      aria-label={name}
      p="4"
      borderWidth="1px"
      borderRadius="l2"
      bg={isSubAttribute(path) ? 'bg.panel' : 'bg.subtle'}
    >
      <Flex direction="column" gap="4">
        <SimpleGrid columns={{ base: 1, sm: 2 }} gap="4">
          <FormField label={name} isRequired error={errorOf('name')}>
            <Input
              {...register(`${path}.name`)}
              {...input}
              maxLength={60}
              fontFamily="mono"
              placeholder={t`costCode`}
            />
          </FormField>
          <Flex gap="2" align="end">
            <FormField label={t`Type`}>
              <Select {...register(`${path}.type`)}>
                {types.map((one) => (
                  <option key={one} value={one}>
                    {TYPES[one]}
                  </option>
                ))}
              </Select>
            </FormField>
            {onRemove && (
              <Hint text={t`Remove ${name}`}>
                <IconButton {...keepFieldFocus} variant="ghost" aria-label={t`Remove ${name}`} onClick={onRemove}>
                  <X />
                </IconButton>
              </Hint>
            )}
          </Flex>
        </SimpleGrid>
        <FormField label={t`Description`} error={errorOf('description')}>
          <Input {...register(`${path}.description`)} maxLength={300} autoComplete="off" />
        </FormField>
        <Flex columnGap="6" wrap="wrap">
          {!isSubAttribute(path) && box('multiValued', t`Several values`)}
          {box('required', t`Required`)}
          {type === 'string' && box('caseExact', t`Case-sensitive`)}
        </Flex>
        {type === 'string' && (
          <Controller
            control={control}
            name={`${path}.canonicalValues`}
            render={({ field: { value, onChange, onBlur } }) => (
              <FormField
                label={t`Allowed values`}
                help={t`One per line. Leave empty to allow any value.`}
                error={errorOf('canonicalValues')}
              >
                <TextArea
                  rows={2}
                  value={value.join('\n')}
                  onChange={(event) => onChange(event.target.value === '' ? [] : event.target.value.split('\n'))}
                  onBlur={onBlur}
                />
              </FormField>
            )}
          />
        )}
        {!isSubAttribute(path) && type === 'complex' && <SubAttributes path={path} error={errorOf('subAttributes')} />}
        {!isSubAttribute(path) && (
          <SimpleGrid columns={{ base: 1, sm: 2 }} gap="4">
            <FormField label={t`Can be changed`}>
              <Select {...register(`${path}.mutability`)}>
                {(['readWrite', 'immutable'] as const).map((one) => (
                  <option key={one} value={one}>
                    {MUTABILITY[one]}
                  </option>
                ))}
              </Select>
            </FormField>
            <FormField label={t`Included in responses`}>
              <Select {...register(`${path}.returned`)}>
                {(['default', 'always', 'request'] as const).map((one) => (
                  <option key={one} value={one}>
                    {RETURNED[one]}
                  </option>
                ))}
              </Select>
            </FormField>
          </SimpleGrid>
        )}
      </Flex>
    </Box>
  );
}

function SubAttributes({ path, error }: { path: AttributePath; error: string | undefined }) {
  const { control } = useFormContext<SchemaForm>();
  const { fields, append, remove } = useFieldArray({ control, name: `${path}.subAttributes` });
  return (
    <Flex direction="column" gap="4">
      {fields.map(({ id }, at) => (
        <AttributeFields
          key={id}
          path={`${path}.subAttributes.${at}`}
          name={t`Sub-attribute ${at + 1}`}
          onRemove={() => remove(at)}
        />
      ))}
      {fields.length < LIMITS.scimParts && (
        <Button
          {...keepFieldFocus}
          variant="outline"
          size="sm"
          alignSelf="flex-start"
          onClick={() => append(NEW_SUB_ATTRIBUTE)}
        >
          <Plus />
          {t`Add sub-attribute`}
        </Button>
      )}
      {error && <AlertLine>{error}</AlertLine>}
    </Flex>
  );
}
