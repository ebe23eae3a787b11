/** Where an external provider sends browsers back to (decision 088); to be registered there. */
export const callbackAddress = ({ publicUrl }: { publicUrl: string }): string => `${publicUrl}/api/oidc/callback`;
