import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/** For a union, the issues of the alternative that fits best; for unknown fields, one each. */
export function flatten(issue: Issue): Issue[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ ...issue, path: [...issue.path, key] }));
  }
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue];
  const best = issue.errors.reduce((a, b) => (b.length < a.length ? b : a));
  return best.flatMap((nested) => flatten({ ...nested, path: [...issue.path, ...nested.path] }));
}
