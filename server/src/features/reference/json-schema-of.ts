import { z } from 'zod';

/**
 * A schema of the contract as JSON Schema, for tools. What JSON Schema cannot express, e.g. a trimmed length, is left
 * out.
 */
export function jsonSchemaOf(schema: z.core.$ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
}
