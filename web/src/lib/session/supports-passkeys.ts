/** Whether this browser has passkeys at all: not over plain HTTP from another machine. */
export const supportsPasskeys = (): boolean => 'PublicKeyCredential' in window;
