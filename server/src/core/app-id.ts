/**
 * IDs that would collide with path segments at the position of `:appId` (spec 2 §7), both in the API and in the
 * client.
 */
const RESERVED: ReadonlySet<string> = new Set(['saml', 'validate', 'default-login-options', 'create']);

export const isReservedAppId = (id: string): boolean => RESERVED.has(id);

/** Leaves room to append a number within an ID's 64 characters. */
const SLUG_MAX_LENGTH = 56;

/**
 * Returns an ID for a new application: its name in lower case with hyphens, followed by a number if that ID is
 * reserved or taken. Renaming the application doesn't change the ID, because it is part of URLs and serves as the
 * OIDC client ID.
 */
export function appIdFor(name: string, taken: ReadonlySet<string>): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const slug = words.join('-').slice(0, SLUG_MAX_LENGTH).replace(/-$/, '') || 'app';
  const isFree = (id: string) => !isReservedAppId(id) && !taken.has(id);
  if (isFree(slug)) return slug;
  let number = 2;
  while (!isFree(`${slug}-${number}`)) number += 1;
  return `${slug}-${number}`;
}
