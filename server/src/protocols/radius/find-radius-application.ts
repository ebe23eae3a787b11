import { applicationRepo, radiusLdapClientRepo } from '@orchestrate/db';
import { isWeakSecret } from '#core/weak-secret.ts';
import type { Deps } from '#deps.ts';
import { isLocalPortal } from '#platform/http/callers/local-portal.ts';
import { ATTRIBUTE, proofOf, type RadiusPacket, textOf } from './packet.ts';
import type { Unanswered } from './quiet-log.ts';

export interface RadiusApplication {
  application: applicationRepo.ApplicationRow;
  client: radiusLdapClientRepo.RadiusLdapClientRow;
}

/**
 * Finds the application of an organisation by the secret of the request. Applications from before secrets had to be
 * unique may share one: then NAS-Identifier selects one by its id, or the oldest is used.
 * @returns the reason why an unmatched request gets no response
 */
export function findRadiusApplication(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  orgCode: string,
  packet: RadiusPacket,
): RadiusApplication | Unanswered {
  const isMadeWith = proofOf(packet);
  if (!isMadeWith) return 'no Message-Authenticator';
  const made = radiusLdapClientRepo.listRadiusClients(db, orgCode).filter(({ secret }) => isMadeWith(secret));
  const named = textOf(packet, ATTRIBUTE.nasIdentifier);
  const client = made.find(({ appId }) => appId === named) ?? made[0];
  const application = client && applicationRepo.findApplication(db, orgCode, client.appId);
  if (!application) return 'unknown secret';
  // The secret is older than this rule or the portal's public URL, so it could be guessed to forge requests.
  return isWeakSecret(client.secret) && !isLocalPortal(config) ? 'weak secret' : { application, client };
}
