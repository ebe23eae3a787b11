/**
 * Addresses of the portal itself are kept as paths, so that they hold wherever the portal is reached (decision 126); all
 * others are kept as they are.
 */
export const keptAddress = (publicUrl: string, address: string): string =>
  address.startsWith(`${publicUrl}/`) ? address.slice(publicUrl.length) : address;

/** The whole address of what `keptAddress` made. @param publicUrl the portal's origin */
export const wholeAddress = (publicUrl: string, kept: string): string =>
  kept.startsWith('/') ? `${publicUrl}${kept}` : kept;
