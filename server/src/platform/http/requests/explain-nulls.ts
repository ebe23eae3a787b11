import { FIELD_REQUIRED, OMIT_FIELD } from '@orchestrate/shared';
import type { z } from 'zod';
import { flattenIssue } from './read-bodies.ts';

interface IssueMessage {
  path: readonly PropertyKey[];
  message: string;
}

/** Replaces "required" with a hint to omit the field if an optional field is null. */
export function explainNulls<Issue extends IssueMessage>(
  schema: z.ZodType,
  raw: unknown,
  issues: readonly Issue[],
): Issue[] {
  const isOfNull = ({ path, message }: Issue) =>
    message === FIELD_REQUIRED && path.reduce<unknown>((value, part) => Object(value)[part], raw) === null;
  if (!issues.some(isOfNull)) return [...issues];
  const { error } = schema.safeParse(withoutNulls(raw));
  const missing = new Set(error?.issues.flatMap(flattenIssue).map(({ path }) => placeOf(path)));
  return issues.map((issue) =>
    isOfNull(issue) && !missing.has(placeOf(issue.path)) ? { ...issue, message: OMIT_FIELD } : issue,
  );
}

const placeOf = (path: readonly PropertyKey[]): string => JSON.stringify(path.map(String));

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) => (part === null ? [] : [[name, withoutNulls(part)]])),
  );
}
