import { logoutRepo, organisationRepo } from '@orchestrate/db';
import type { FastifyReply } from 'fastify';
import { endSessions } from '../../core/sign-in/sessions.ts';
import type { Deps } from '../../deps.ts';
import { PAGE_POLICY, page } from '../../platform/http/answers/plain-page.ts';
import { sendPage, sendRedirect } from '../../platform/http/answers/send-json.ts';
import { logoutPath } from '../../platform/own-addresses.ts';
import { endOidcSession } from '../../protocols/oidc/end-session.ts';
import { signedOutPage } from './pages.ts';

export interface OfLogout {
  Params: { orgCode: string; id: string };
}

type Participant = logoutRepo.LogoutParticipant;

/** Ends what can be ended from here, then sends the browser to one application after the other, and says what came of it. */
export async function goOn(
  deps: Deps,
  reply: FastifyReply,
  { orgCode, id }: OfLogout['Params'],
): Promise<FastifyReply> {
  const { db, clock } = deps;
  const logout = logoutRepo.findLogout(db, orgCode, id, clock.now());
  if (!logout) return sendOver(deps, reply);
  const { goesTo } = logout;
  const isFirst = logoutRepo.claimGathering(db, orgCode, id, clock.now());
  const participants = isFirst ? [...logout.participants, ...(await gather(deps, logout))] : logout.participants;
  logoutRepo.setParticipants(db, logout, participants);
  const end = `${logoutPath(orgCode, id)}/end`;
  const isPlain = participants.every(({ state }) => state === 'done');
  if (isPlain && goesTo.kind !== 'none') return sendRedirect(deps, reply, end);
  return sendPage(deps, reply, signedOutPage({ participants, next: goesTo.kind === 'none' ? undefined : end }));
}

/** Everything that needs no browser. */
async function gather(deps: Deps, logout: logoutRepo.LogoutRow): Promise<Participant[]> {
  return [...(await endOidcSession(deps, logout)), ...endPortal(deps, logout)];
}

/** Ends the portal's own sessions in the browser, where its organisation wants that. */
function endPortal(deps: Deps, { orgCode, suid, browser, begunBy }: logoutRepo.LogoutRow): Participant[] {
  if (begunBy === '' || !organisationRepo.findOrganisation(deps.db, orgCode)?.logoutTogether) return [];
  const ended = endSessions(deps, orgCode, { inBrowser: { orgCode, browser, suid } });
  return ended.length === 0 ? [] : [{ appId: '', name: 'Portal', state: 'done' }];
}

/** Sends the browser back to the application that has begun the logout. */
export async function goBack(
  deps: Deps,
  reply: FastifyReply,
  { orgCode, id }: OfLogout['Params'],
): Promise<FastifyReply> {
  const logout = logoutRepo.findLogout(deps.db, orgCode, id, deps.clock.now());
  if (logout?.goesTo.kind === 'redirect') return sendRedirect(deps, reply, logout.goesTo.to);
  return sendOver(deps, reply);
}

const sendOver = (deps: Deps, reply: FastifyReply): FastifyReply =>
  sendPage(deps, reply.code(400), {
    text: page('Signed out', '<p>This logout is over. You may close this page.</p>'),
    policy: PAGE_POLICY,
  });
