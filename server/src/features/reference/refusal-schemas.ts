import { type EndpointDefinition, type ResultName, resultOf } from '@orchestrate/shared';
import { z } from 'zod';
import type { Json } from '#platform/contract-comments.ts';
import { jsonSchemaOf, pascalCase } from './json-schema-of.ts';

/** Returns the contract's `RefusalBody` for a single result. */
const refusalOf = (name: ResultName) =>
  z.object({
    resultCode: z.literal(resultOf(name).code),
    resultName: z.literal(name),
    message: z.string(),
    requestId: z.string(),
    issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  });

/** Returns a refusal's component name, e.g. `RefusalExpired`. */
export const refusalNameOf = (name: ResultName): string => `Refusal${pascalCase(name)}`;

export const refusalSchemaOf = (name: ResultName): Json => ({
  description: resultOf(name).sentence,
  ...jsonSchemaOf(refusalOf(name), 'output'),
});

export function oneOfRefusals(names: readonly ResultName[]): Json {
  const references = names.map((name) => ({ $ref: referenceTo(refusalNameOf(name)) }));
  const [only] = references;
  if (only && references.length === 1) return only;
  const mapping = Object.fromEntries(names.map((name) => [name, referenceTo(refusalNameOf(name))]));
  return { oneOf: references, discriminator: { propertyName: 'resultName', mapping } };
}

/** Returns an endpoint's `StaleBody` schema. */
export const staleSchemaOf = ({ current }: EndpointDefinition): Json =>
  jsonSchemaOf(
    refusalOf('INVALID_REQUEST').extend({
      // Absent from conflicts on creation, because a new object doesn't have a version yet.
      ...z
        .object({
          current: current ?? z.object({}),
          changedBy: z.object({ name: z.string(), suid: z.string() }).nullable(),
          changedAt: z.string().nullable(),
        })
        .partial().shape,
    }),
    'output',
  );

export const referenceTo = (name: string): string => `#/components/schemas/${name}`;
