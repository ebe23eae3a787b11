import { applicationRepo, organisationRepo, serviceProviderRepo } from '@orchestrate/db';
import type { Deps } from '#deps.ts';
import { idpAddresses } from '#platform/own-addresses.ts';
import { type Peer, readPeer } from './read-peer.ts';
import { SamlProblem } from './saml-problem.ts';

/** A SAML application and the data needed to check and answer its messages. */
export interface SamlApplication {
  organisation: organisationRepo.OrganisationRow;
  application: applicationRepo.ApplicationRow;
  provider: serviceProviderRepo.ServiceProviderRow;
  peer: Peer;
  addresses: ReturnType<typeof idpAddresses>;
}

/** Finds a SAML application. Returns undefined if it doesn't exist. */
export async function findSamlApplication(
  { db, publicUrl }: Pick<Deps, 'db' | 'publicUrl'>,
  orgCode: string,
  appId: string,
): Promise<SamlApplication | undefined> {
  const organisation = organisationRepo.findOrganisation(db, orgCode);
  const application = applicationRepo.findApplication(db, orgCode, appId);
  const provider = serviceProviderRepo.findServiceProvider(db, orgCode, appId);
  if (!organisation || !application || !provider) return undefined;
  const peer = await readPeer(provider.metadata);
  return { organisation, application, provider, peer, addresses: idpAddresses(publicUrl, application) };
}

/** Finds a SAML application. @throws SamlProblem if it doesn't exist */
export async function requireSamlApplication(
  deps: Pick<Deps, 'db' | 'publicUrl'>,
  orgCode: string,
  appId: string,
): Promise<SamlApplication> {
  const found = await findSamlApplication(deps, orgCode, appId);
  if (!found) throw new SamlProblem("This application doesn't exist.", 404);
  return found;
}
