import type { z } from 'zod';
import { explainNulls } from './explain-nulls.ts';
import { issueSentence, sentenceAt } from './issue-sentence.ts';
import { flatten } from './read-bodies.ts';

/** An error in a document. */
export interface ShapeIssue {
  /** Field names and list indexes, from the root. */
  path: readonly (string | number)[];
  message: string;
}

/** Parses a document by its schema, or returns all its issues, including unknown fields. */
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

/** Writes a line per unknown field, each with a suggested name. */
const sentenceOf = (issue: z.core.$ZodRawIssue): string | undefined =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key: string) => issueSentence({ ...issue, keys: [key] })).join('\n')
    : issueSentence(issue);

/** Splits an issue about several unknown fields into one per field. */
function spread(issue: Issue, raw: unknown): { path: PropertyKey[]; message: string }[] {
  if (issue.code !== 'unrecognized_keys') return flatten(issue).map((each) => worded(each, raw));
  const lines = issue.message.split('\n');
  return issue.keys.map((key, at) => ({ path: [...issue.path, key], message: lines[at] ?? issue.message }));
}

function worded(issue: Issue, raw: unknown): Issue {
  if (issue.code === 'unrecognized_keys') {
    const at = issue.keys.indexOf(String(issue.path.at(-1)));
    return { ...issue, message: issue.message.split('\n')[at] ?? issue.message };
  }
  return { ...issue, message: sentenceAt(issue, raw) };
}
