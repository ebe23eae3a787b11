/** What the sign-in history calls a sign-in to the portal itself. */
export const PORTAL_APP_NAME = 'Portal';
