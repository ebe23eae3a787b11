import { scimCredentialsRepo, type Tx } from '@orchestrate/db';
import { isSameSecret } from '../../platform/adapters/is-same-secret.ts';

/** The organisation's credentials, if the request carries them (RFC 7617); undefined before the first pair is made. */
export function findDirectory(
  tx: Tx,
  orgCode: string,
  authorization: string | undefined,
): scimCredentialsRepo.ScimCredentialsRow | undefined {
  const pair = scimCredentialsRepo.findScimCredentials(tx, orgCode);
  const encoded = /^basic +([a-z0-9+/=_-]+)$/i.exec(authorization?.trim() ?? '')?.[1];
  if (!pair || encoded === undefined) return undefined;
  const given = Buffer.from(encoded, 'base64').toString();
  const colon = given.indexOf(':');
  const isUser = isSameSecret(given.slice(0, Math.max(colon, 0)), pair.username);
  const isPassword = isSameSecret(given.slice(colon + 1), pair.password);
  return isUser && isPassword ? pair : undefined;
}
