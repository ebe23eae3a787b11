/** Ends a masked address. Full addresses can't contain it: browsers and this portal write it as `%E2%80%A6`. */
const ELLIPSIS = '…';

/**
 * Returns an address without anything that can hold a token: `https://hooks.slack.com/…` (decision 080). User name,
 * path and query are left out; an address that has none of them stays as it is.
 */
export function maskAddress(address: string): string {
  const url = URL.parse(address);
  if (!url) return ELLIPSIS;
  const origin = `${url.protocol}//${url.host}`;
  return url.href === `${origin}/` ? address : `${origin}/${ELLIPSIS}`;
}

/** Whether an address is masked, so that nothing can be sent there. */
export const isMaskedAddress = (address: string): boolean => address.endsWith(`/${ELLIPSIS}`);
