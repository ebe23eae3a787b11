import { createHash } from 'node:crypto';

/** How the token of a mailed link is kept. It is 256 random bits: a plain hash is as good as a slow one. */
export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('base64url');
