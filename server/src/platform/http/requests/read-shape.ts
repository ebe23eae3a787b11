import type { z } from 'zod';
import { explainNulls } from './explain-nulls.ts';
import { issueSentence, sentenceAt } from './issue-sentence.ts';
import { flatten } from './read-bodies.ts';

/** What is wrong at one place of a document. */
export interface ShapeIssue {
  /** Names of fields and places in lists, from the outside in. */
  path: readonly (string | number)[];
  message: string;
}

/** What a document says by its schema, or everything that is wrong with it: also each unknown field. */
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

/** Unknown fields get a line each, so that each is answered with the name that was probably meant. */
const sentenceOf = (issue: z.core.$ZodRawIssue): string | undefined =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key: string) => issueSentence({ ...issue, keys: [key] })).join('\n')
    : issueSentence(issue);

/** An issue for each place; thousands of unknown fields are said in one text, which is taken apart once. */
function spread(issue: Issue, raw: unknown): { path: PropertyKey[]; message: string }[] {
  if (issue.code !== 'unrecognized_keys') return flatten(issue).map((each) => worded(each, raw));
  const said = issue.message.split('\n');
  return issue.keys.map((key, at) => ({ path: [...issue.path, key], message: said[at] ?? issue.message }));
}

function worded(issue: Issue, raw: unknown): Issue {
  if (issue.code === 'unrecognized_keys') {
    const at = issue.keys.indexOf(String(issue.path.at(-1)));
    return { ...issue, message: issue.message.split('\n')[at] ?? issue.message };
  }
  return { ...issue, message: sentenceAt(issue, raw) };
}
