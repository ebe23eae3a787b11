import type { JsonSchema } from './documents.ts';

/** A message with the fields that are required: the first choice, and what the query already says. */
export function sampleOfMessage(
  { properties = {}, required = [] }: JsonSchema,
  query: Readonly<Record<string, string>>,
): Record<string, unknown> {
  return Object.fromEntries(
    required.map((name) => {
      const field = properties[name];
      return [name, field?.enum?.[0] ?? query[name] ?? ''];
    }),
  );
}
