import type { z } from 'zod';
import { explainNulls } from './explain-nulls.ts';
import { issueMessage, messageAt } from './issue-sentence.ts';
import { flattenIssue } from './read-bodies.ts';

/** A validation error in a document. */
export interface ShapeIssue {
  /** Path of field names and list indices from the root. */
  path: readonly (string | number)[];
  message: string;
}

/** Parses a document with its schema or returns all issues, including unknown fields. */
export function readShape<Schema extends z.ZodType>(
  schema: Schema,
  raw: unknown,
): { data: z.output<Schema> } | { issues: ShapeIssue[] } {
  const parsed = schema.safeParse(raw, { error: sentenceOf });
  if (parsed.success) return { data: parsed.data };
  const issues = explainNulls(
    schema,
    raw,
    parsed.error.issues.flatMap((issue) => spread(issue, raw)),
  );
  return {
    issues: issues.map(({ path, message }) => ({
      path: path.map((part) => (typeof part === 'symbol' ? String(part) : part)),
      message,
    })),
  };
}

type Issue = z.core.$ZodIssue;

/** Returns the message for an issue. Each unknown field gets a separate line with a suggested name. */
const sentenceOf = (issue: z.core.$ZodRawIssue): string | undefined =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key: string) => issueMessage({ ...issue, keys: [key] })).join('\n')
    : issueMessage(issue);

/** Splits an issue about several unknown fields into one issue per field. */
function spread(issue: Issue, raw: unknown): { path: PropertyKey[]; message: string }[] {
  if (issue.code !== 'unrecognized_keys') return flattenIssue(issue).map((each) => worded(each, raw));
  const lines = issue.message.split('\n');
  return issue.keys.map((key, at) => ({ path: [...issue.path, key], message: lines[at] ?? issue.message }));
}

function worded(issue: Issue, raw: unknown): Issue {
  if (issue.code === 'unrecognized_keys') {
    const at = issue.keys.indexOf(String(issue.path.at(-1)));
    return { ...issue, message: issue.message.split('\n')[at] ?? issue.message };
  }
  return { ...issue, message: messageAt(issue, raw) };
}
