import { createHash } from 'node:crypto';

/** SHA-256, base64url: states, codes and browsers' secrets are 256 random bits, a plain hash is as good as a slow one. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');
