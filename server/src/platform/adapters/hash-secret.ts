import { hash } from 'node:crypto';

/**
 * SHA-256 of a secret as stored in the database, base64url. For tokens, links, codes and cookies of 128 random bits or
 * more, for which a plain hash is as good as a slow one.
 */
export const hashSecret = (secret: string): string => hash('sha256', secret, 'base64url');
