/** The name of the portal itself in the sign-in history. */
export const PORTAL_APP_NAME = 'Portal';
