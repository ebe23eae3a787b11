/** Request fields that are part of the URL. */
export interface AddressParts {
  params?: unknown;
  query?: unknown;
}

/**
 * Returns the URL of an endpoint or channel below its base: the path with its `:parameters` filled in, and the query.
 * Values that are undefined or null are left out.
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
