import { Input } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { FormField } from '#ui/form/form-field.tsx';
import { Select } from '#ui/form/select.tsx';
import type { JsonSchema } from './documents.ts';
import { resolveSchema, type Schemas } from './schema-text.ts';

interface ValueFieldProps {
  name: string;
  schema: JsonSchema;
  schemas: Schemas;
  isRequired: boolean;
  /** Parameter value, or '' to omit the parameter. */
  value: string;
  onChange: (value: string) => void;
}

/** A parameter field: a select for an enum, otherwise a text input. */
export function ValueField({ name, schema, schemas, isRequired, value, onChange }: ValueFieldProps) {
  const values = resolveSchema(schema, schemas).enum?.map(String);
  return (
    <FormField label={name} isRequired={isRequired}>
      {values ? (
        <Select value={value} onChange={({ target }) => onChange(target.value)}>
          {!(isRequired && values.includes(value)) && (
            <option value="">{isRequired ? t`Select a value` : t`Omit`}</option>
          )}
          {values.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </Select>
      ) : (
        <Input value={value} autoComplete="off" spellCheck={false} onChange={({ target }) => onChange(target.value)} />
      )}
    </FormField>
  );
}
