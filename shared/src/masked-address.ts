/**
 * Suffix of a masked URL. Full URLs can't contain this character, because browsers and this portal write it as
 * `%E2%80%A6`.
 */
const ELLIPSIS = '…';

/**
 * Removes everything from a URL that can contain a token: `https://hooks.slack.com/…` (decision 080). User name, path
 * and query are left out; a URL without any of these stays unchanged.
 */
export function maskAddress(address: string): string {
  const url = URL.parse(address);
  if (!url) return ELLIPSIS;
  const origin = `${url.protocol}//${url.host}`;
  return url.href === `${origin}/` ? address : `${origin}/${ELLIPSIS}`;
}

/** Returns true if a URL is masked. Nothing can be sent to a masked URL. */
export const isMaskedAddress = (address: string): boolean => address.endsWith(`/${ELLIPSIS}`);
