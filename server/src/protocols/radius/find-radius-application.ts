import { applicationRepo, radiusLdapClientRepo } from '@orchestrate/db';
import { isWeakSecret } from '#core/weak-secret.ts';
import type { Deps } from '#deps.ts';
import { isLocalPortal } from '#platform/http/callers/local-portal.ts';
import { ATTRIBUTE, createSecretVerifier, type RadiusPacket, textOf } from './packet.ts';
import type { UnansweredReason } from './quiet-log.ts';

export interface RadiusApplication {
  application: applicationRepo.ApplicationRow;
  client: radiusLdapClientRepo.RadiusLdapClientRow;
}

/**
 * Finds an organisation's application by the request's secret. Applications that predate the uniqueness rule may
 * share a secret. NAS-Identifier then selects the application by ID; otherwise the oldest is used.
 * @returns the reason if no application matches, in which case the request gets no response
 */
export function findRadiusApplication(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  orgCode: string,
  packet: RadiusPacket,
): RadiusApplication | UnansweredReason {
  const isMadeWith = createSecretVerifier(packet);
  if (!isMadeWith) return 'no Message-Authenticator';
  const made = radiusLdapClientRepo.listRadiusClients(db, orgCode).filter(({ secret }) => isMadeWith(secret));
  const named = textOf(packet, ATTRIBUTE.nasIdentifier);
  const client = made.find(({ appId }) => appId === named) ?? made[0];
  const application = client && applicationRepo.findApplication(db, orgCode, client.appId);
  if (!application) return 'unknown secret';
  // A weak secret can predate this rule or the portal's public URL. Reject it, because anyone who guesses the secret
  // could forge requests.
  return isWeakSecret(client.secret) && !isLocalPortal(config) ? 'weak secret' : { application, client };
}
