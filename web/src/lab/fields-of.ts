/** The first mistake of each field, by the last part of its path; those about the whole at `root`. */
export function fieldsOf(
  issues: readonly { path: string | readonly PropertyKey[]; message: string }[],
): Record<string, string> {
  return Object.fromEntries(
    issues.toReversed().map(({ path, message }) => {
      const parts = typeof path === 'string' ? path.split('.') : path;
      return [String(parts.at(-1) ?? 'root') || 'root', message];
    }),
  );
}
