/** Ids that would collide with path segments next to `:appId` (spec 2 §7), here and in the client. */
const RESERVED: ReadonlySet<string> = new Set(['saml', 'validate', 'default-login-options', 'create']);

export const isReserved = (id: string): boolean => RESERVED.has(id);

/** Leaves room for a number within the 64 characters of an id. */
const SLUG_MAX_LENGTH = 56;

/**
 * Returns the id of a new application: its name in lower case with hyphens, plus a number if that is reserved or
 * taken. The id is part of URLs and, for OIDC, the client id, so renaming the application doesn't change it.
 */
export function appIdFor(name: string, taken: ReadonlySet<string>): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const slug = words.join('-').slice(0, SLUG_MAX_LENGTH).replace(/-$/, '') || 'app';
  const isFree = (id: string) => !isReserved(id) && !taken.has(id);
  if (isFree(slug)) return slug;
  let number = 2;
  while (!isFree(`${slug}-${number}`)) number += 1;
  return `${slug}-${number}`;
}
