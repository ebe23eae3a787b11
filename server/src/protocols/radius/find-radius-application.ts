import { applicationRepo, networkClientRepo } from '@orchestrate/db';
import type { Deps } from '../../deps.ts';
import { ATTRIBUTE, isMadeWith, type RadiusPacket, textOf } from './packet.ts';

export interface RadiusApplication {
  application: applicationRepo.ApplicationRow;
  client: networkClientRepo.NetworkClientRow;
}

/**
 * The application whose secret has made the request. Where several share one, that which NAS-Identifier names by its
 * id, else the oldest.
 * @returns undefined where none has made it, or it is not protected at all
 */
export function findRadiusApplication({ db }: Deps, packet: RadiusPacket): RadiusApplication | undefined {
  const all = networkClientRepo.listRadiusClients(db, 'all').filter(({ secret }) => isMadeWith(packet, secret));
  const named = textOf(packet, ATTRIBUTE.nasIdentifier);
  const client = all.find(({ appId }) => appId === named) ?? all[0];
  const application = client && applicationRepo.findApplication(db, client.orgCode, client.appId);
  return application && { application, client };
}
