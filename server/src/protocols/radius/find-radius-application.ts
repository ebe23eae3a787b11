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
 * Finds the application of an organisation whose secret made the request. Applications from before secrets had to
 * differ may share one: NAS-Identifier then names one of them by its id, otherwise the oldest answers.
 * @returns why the request gets no answer if no application made it
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
  // Older than this rule, or than the address of the portal: forged requests could guess it.
  return isWeakSecret(client.secret) && !isLocalPortal(config) ? 'weak secret' : { application, client };
}
