import { type ScimAttribute, type ScimSchema, scimSchemaForm, scimSchemaUrn } from '@orchestrate/shared';
import type { z } from 'zod';

/** Schema of the dialog's values. The allowed values are lines of a text field, some of which can be empty. */
export const schemaForm = scimSchemaForm.extend({ urn: scimSchemaUrn });
export type SchemaForm = z.output<typeof schemaForm>;

export const NEW_ATTRIBUTE: ScimAttribute = {
  name: '',
  description: '',
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  canonicalValues: [],
  subAttributes: [],
};

export const NEW_SUB_ATTRIBUTE: ScimAttribute['subAttributes'][number] = {
  name: '',
  description: '',
  type: 'string',
  required: false,
  caseExact: false,
  canonicalValues: [],
};

export const schemaFormOf = (schema: ScimSchema | 'new' | undefined): SchemaForm => {
  if (schema === undefined || schema === 'new')
    return { urn: '', name: '', description: '', attributes: [NEW_ATTRIBUTE] };
  const { urn, name, description, attributes } = schema;
  return { urn, name, description, attributes };
};

/** Removes empty lines, and properties that don't apply to an attribute's type. */
export function withoutUnusedValues({ attributes, ...form }: SchemaForm): SchemaForm {
  const linesOf = ({ type, canonicalValues }: Pick<ScimAttribute, 'type' | 'canonicalValues'>) =>
    type === 'string' ? canonicalValues.filter((line) => line.trim() !== '') : [];
  return {
    ...form,
    attributes: attributes.map((attribute) => ({
      ...attribute,
      canonicalValues: linesOf(attribute),
      subAttributes:
        attribute.type === 'complex'
          ? attribute.subAttributes.map((subAttribute) => ({ ...subAttribute, canonicalValues: linesOf(subAttribute) }))
          : [],
    })),
  };
}
