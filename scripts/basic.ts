/** Returns the `Authorization` header for a username and a password (RFC 7617 §2). */
export const basicAuthHeader = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
