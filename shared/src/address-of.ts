/** Request fields that form the URL. */
export interface AddressParts {
  params?: unknown;
  query?: unknown;
}

/**
 * Returns the URL of an endpoint or channel relative to its base: the path with its `:parameters` filled in, followed
 * by the query. Undefined and null values are omitted.
 */
export function addressOf({ path }: { path: string }, { params, query }: AddressParts): string {
  const values = new Map<string, unknown>(Object.entries(params ?? {}));
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values.get(name) ?? '')));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null) search.set(name, String(value));
  }
  return search.size > 0 ? `${filled}?${search}` : filled;
}
