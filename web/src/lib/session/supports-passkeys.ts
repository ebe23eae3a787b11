// Apart from the ceremony, which the sign-in page loads only when somebody chooses a passkey.

/** Whether this browser has passkeys at all: not over plain HTTP from another machine. */
export const supportsPasskeys = (): boolean => 'PublicKeyCredential' in window;
