import { scimCredentialsRepo, type Tx } from '@orchestrate/db';
import { isSameSecret } from '../../challenges/is-same-secret.ts';

/** Whether a request has the credentials of this organisation (RFC 7617). Before the first pair, nobody has. */
export function isDirectory(tx: Tx, orgCode: string, authorization: string | undefined): boolean {
  const pair = scimCredentialsRepo.findScimCredentials(tx, orgCode);
  const encoded = /^basic +([a-z0-9+/=_-]+)$/i.exec(authorization?.trim() ?? '')?.[1];
  if (!pair || encoded === undefined) return false;
  const given = Buffer.from(encoded, 'base64').toString();
  const colon = given.indexOf(':');
  const isUser = isSameSecret(given.slice(0, Math.max(colon, 0)), pair.username);
  return isSameSecret(given.slice(colon + 1), pair.password) && isUser;
}
