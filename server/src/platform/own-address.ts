/**
 * Addresses of the portal itself are stored as paths, so that they remain valid wherever the portal is reached
 * (decision 081); all others are stored unchanged.
 */
export const keptAddress = (publicUrl: string, address: string): string =>
  address.startsWith(`${publicUrl}/`) ? address.slice(publicUrl.length) : address;

/** The full address of what `keptAddress` returned. @param publicUrl the portal's origin */
export const wholeAddress = (publicUrl: string, kept: string): string =>
  kept.startsWith('/') ? `${publicUrl}${kept}` : kept;
