import { type logoutRepo, oidcApplicationRepo } from '@orchestrate/db';
import type { Deps } from '#deps.ts';
import { oidcAddresses } from '#platform/own-addresses.ts';

type Participant = logoutRepo.LogoutParticipant;

/** @param states what the back channel has done, by application */
export function participantsOf(
  { db, publicUrl }: Pick<Deps, 'db' | 'publicUrl'>,
  orgCode: string,
  signedIn: readonly { appId: string; sid: string }[],
  states: ReadonlyMap<string, Participant['state'] | undefined>,
): Participant[] {
  const { issuer } = oidcAddresses(publicUrl, orgCode);
  return signedIn.flatMap(({ appId, sid }): Participant[] => {
    const application = oidcApplicationRepo.findOidcApplication(db, orgCode, appId);
    if (!application) return [];
    const { name, frontchannelLogoutUri } = application;
    const state = states.get(appId);
    // Who is told by us needs no page besides; a failure is made good by the page.
    if (frontchannelLogoutUri === null || state === 'done') return [{ appId, name, state: state ?? 'done' }];
    const page = new URL(frontchannelLogoutUri);
    page.searchParams.set('iss', issuer);
    page.searchParams.set('sid', sid);
    return [{ appId, name, state: 'told', page: page.href }];
  });
}
