import { createHash } from 'node:crypto';
import { logoutRepo, organisationRepo } from '@orchestrate/db';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { browserOf } from '#core/sign-in/browser-id.ts';
import { endSessions } from '#core/sign-in/sessions.ts';
import type { Deps } from '#deps.ts';
import { singleFlightByKey } from '#platform/cache.ts';
import { createPage, escapeHtml, PAGE_POLICY, type Page, type Translate } from '#platform/http/answers/plain-page.ts';
import { sendPage, sendRedirect } from '#platform/http/answers/send-json.ts';
import { logoutPath } from '#platform/own-addresses.ts';

export interface LogoutRoute {
  Params: { orgCode: string; id: string };
}

type Participant = logoutRepo.LogoutParticipant;
type LogoutRequest = Pick<FastifyRequest<LogoutRoute>, 'params' | 'headers'>;

/**
 * Ends the sessions that can end without the browser, then redirects the browser to one application after another,
 * and finally displays the result.
 */
export async function resumeLogout(deps: Deps, request: LogoutRequest, reply: FastifyReply): Promise<FastifyReply> {
  const logout = findOwnLogout(deps, request);
  if (!logout) return sendOver(deps, reply);
  const { orgCode, id, goesTo } = logout;
  const participants = await sendToNext(deps, reply, logout, await gatherOnce(deps, logout));
  logoutRepo.setParticipants(deps.db, logout, participants);
  if (reply.sent) return reply;
  const end = `${logoutPath(orgCode, id)}/end`;
  const isPlain = participants.every(({ state }) => state === 'done');
  if (isPlain && goesTo.kind !== 'none') return sendRedirect(deps, reply, end);
  return sendPage(deps, reply, signedOutPage({ participants, next: goesTo.kind === 'none' ? undefined : end }));
}

/**
 * Redirects the browser to the next application to sign out. Marks an application as failed if the browser returned
 * from it without a response.
 */
async function sendToNext(
  deps: Deps,
  reply: FastifyReply,
  logout: logoutRepo.LogoutRow,
  gathered: readonly Participant[],
): Promise<Participant[]> {
  const participants: Participant[] = [];
  for (const one of gathered) {
    const { state, saml } = one;
    if (state === 'asked') participants.push({ ...one, state: 'failed' });
    else if (state !== 'waiting' || !saml || reply.sent) participants.push(one);
    else participants.push(await (await samlProtocol()).sendLogoutRequest(deps, reply, logout, { ...one, saml }));
  }
  return participants;
}

// The protocol code is loaded on first use (decision 018).
const samlProtocol = () => import('#protocols/saml/end-sessions.ts');
const oidcProtocol = () => import('#protocols/oidc/logout/end-session.ts');

/** Sessions being ended, by logout ID. A page reloaded in the meantime waits for the same run. */
const gathering = singleFlightByKey<readonly Participant[]>();

const gatherOnce = (deps: Deps, logout: logoutRepo.LogoutRow): Promise<readonly Participant[]> =>
  gathering(deps, logout.id, async () => {
    const { db, clock } = deps;
    if (!logoutRepo.claimLogoutStart(db, logout.orgCode, logout.id, clock.now())) return logout.participants;
    const participants = [...logout.participants, ...(await gather(deps, logout))];
    logoutRepo.setParticipants(db, logout, participants);
    return participants;
  });

/** Ends all sessions that can end without the browser. */
async function gather(deps: Deps, logout: logoutRepo.LogoutRow): Promise<Participant[]> {
  const { orgCode, suid, browser, otherBrowsers } = logout;
  const [{ endOidcSession }, { endSamlSessions }] = await Promise.all([oidcProtocol(), samlProtocol()]);
  const inBrowsers = [browser, ...otherBrowsers].map((one) => ({ orgCode, suid, browser: one }));
  const ended = await Promise.all(
    inBrowsers.flatMap((where) => [endOidcSession(deps, where), endSamlSessions(deps, where)]),
  );
  return [...ended.flat(), ...endPortal(deps, logout, inBrowsers)];
}

/** Ends the browser's portal sessions, if the organisation has enabled single logout. */
function endPortal(
  deps: Deps,
  { orgCode, begunBy }: logoutRepo.LogoutRow,
  inBrowsers: readonly logoutRepo.BrowserSignIns[],
): Participant[] {
  if (begunBy === '' || !organisationRepo.findOrganisation(deps.db, orgCode)?.logoutTogether) return [];
  const ended = inBrowsers.flatMap((inBrowser) => endSessions(deps, orgCode, { inBrowser }));
  return ended.length === 0 ? [] : [{ appId: '', name: 'Portal', state: 'done' }];
}

/** Redirects the browser to the application that started the logout. */
export async function returnToInitiator(
  deps: Deps,
  request: LogoutRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const logout = findOwnLogout(deps, request);
  if (logout?.goesTo.kind === 'redirect') return sendRedirect(deps, reply, logout.goesTo.to);
  if (logout?.goesTo.kind === 'saml') {
    const { answerInitiator } = await samlProtocol();
    return answerInitiator(deps, reply, logout.orgCode, logout.goesTo, !logout.participants.some(hasFailed));
  }
  return sendOver(deps, reply);
}

/** Returns a pending logout that this browser started or takes part in. */
function findOwnLogout(deps: Deps, { params, headers }: LogoutRequest): logoutRepo.LogoutRow | undefined {
  const logout = logoutRepo.findLogout(deps.db, params.orgCode, params.id, deps.clock.now());
  const asking = browserOf(deps, headers.cookie);
  if (!logout || asking === undefined) return undefined;
  const { startedBy, browser, otherBrowsers } = logout;
  return [startedBy, browser, ...otherBrowsers].includes(asking) ? logout : undefined;
}

const sendOver = (deps: Deps, reply: FastifyReply): FastifyReply =>
  sendPage(deps, reply.code(400), {
    page: createPage((t) => ({
      title: t('Signed out'),
      body: `<p>${t('This logout has ended or was started in another browser. You can close this page.')}</p>`,
    })),
    policy: PAGE_POLICY,
  });

/** Describes the outcome for an application. @param name escaped name of the application */
function describeOutcome(t: Translate, name: string, state: Participant['state']): string {
  if (state === 'done') return t(`${name}: signed out`);
  if (state === 'told') return t(`${name}: sign-out requested`);
  return t(`${name}: couldn't be signed out`);
}

/** Submits the form once the applications' front-channel pages have loaded. */
const SUBMIT_ON_LOAD = "addEventListener('load',function(){document.forms[0].submit()})";
const SUBMIT_ON_LOAD_SOURCE = `'sha256-${createHash('sha256').update(SUBMIT_ON_LOAD).digest('base64')}'`;

/** Returns true if the sign-out failed and the user may still be signed in to the application. */
const hasFailed = ({ state }: Participant): boolean => state !== 'done' && state !== 'told';

interface SignedOut {
  participants: readonly Participant[];
  /** Where the browser continues, or undefined on the final page. */
  next: string | undefined;
}

/** Renders a list of signed-out applications and loads the applications' front-channel pages. */
function signedOutPage({ participants, next }: SignedOut): { page: Page; policy: string } {
  const pages = participants.flatMap(({ page: address }) => address ?? []);
  const failed = participants.some(hasFailed);
  const frames = pages.map((address) => `<iframe src="${escapeHtml(address)}" title="" hidden></iframe>`);
  const page = createPage((t) => {
    const items = participants.map(({ name, state }) => `<li>${describeOutcome(t, escapeHtml(name), state)}</li>`);
    const body = [
      ...(items.length > 0 ? [`<ul>${items.join('')}</ul>`] : []),
      ...(failed ? [`<p>${t('Sign out there yourself, or close the browser.')}</p>`] : []),
      ...frames,
      next === undefined
        ? `<p>${t('You can close this page.')}</p>`
        : `<form action="${escapeHtml(next)}"><button type="submit">${t('Continue')}</button></form>`,
      // Continue automatically only if nothing failed, because the user must be able to read the failures.
      ...(next !== undefined && !failed ? [`<script>${SUBMIT_ON_LOAD}</script>`] : []),
    ];
    return { title: failed ? t("You aren't signed out everywhere") : t('Signed out'), body: body.join('\n') };
  });
  const sources = [...new Set(pages.map((address) => new URL(address).origin))];
  return {
    page,
    policy: [
      PAGE_POLICY.replace('script-src ', `script-src ${SUBMIT_ON_LOAD_SOURCE} `),
      ...(sources.length > 0 ? [`frame-src ${sources.join(' ')}`] : []),
    ].join(';'),
  };
}
