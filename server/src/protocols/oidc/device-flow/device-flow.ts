import type { organisationRepo } from '@orchestrate/db';
import { memberRepo } from '@orchestrate/db';
import type { Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider';
import { countFailure, retryAfterSeconds } from '#core/sign-in/throttles.ts';
import type { Deps } from '#deps.ts';
import { hashSecret } from '#platform/adapters/secrets.ts';
import { oidcPath } from '#platform/own-addresses.ts';
import { sendLibraryPage } from '../http/send-page.ts';
import { SESSION_LIFETIME_S } from '../tokens/lifetimes.ts';
import {
  type CodeProblem,
  codePage,
  confirmDevicePage,
  deviceDeniedPage,
  deviceErrorPage,
  deviceSignedInPage,
} from './device-pages.ts';

type Library = Pick<typeof import('oidc-provider'), 'errors'>;
type DeviceFlow = NonNullable<NonNullable<Configuration['features']>['deviceFlow']>;

/** Minimum interval between a device's polls, in seconds (RFC 8628 §3.2). */
const INTERVAL = 5;

/** Returns the attributes of cookies that the library sets. */
export const cookieOptions = (orgCode: string) =>
  ({ httpOnly: true, sameSite: 'lax', path: oidcPath(orgCode) }) as const;

/** Library errors after which the page asks for the code again, by error name, with the page's status. */
const PROBLEMS: Readonly<Record<string, { problem: CodeProblem; status: number }>> = {
  NoCodeError: { problem: 'none', status: 400 },
  // `answer-oidc.ts` recognises wrong codes by this status code, so no other problem can use it.
  NotFoundError: { problem: 'unknown', status: 404 },
  ExpiredError: { problem: 'expired', status: 410 },
  AlreadyUsedError: { problem: 'used', status: 410 },
  InvalidRequest: { problem: 'outdated', status: 400 },
};

/** Returns the device flow configuration (RFC 8628) with the portal's own pages. */
export function deviceFlow(
  { db }: Pick<Deps, 'db'>,
  { orgCode }: Pick<organisationRepo.OrganisationRow, 'orgCode'>,
): DeviceFlow {
  return {
    enabled: true,
    // Device information isn't displayed, because a device could claim anything about itself, so store none.
    deviceInfo: () => ({}),
    async userCodeInputSource(ctx, _form, out, reason) {
      if (reason) await saveNewSession(ctx, orgCode);
      if (reason?.name === 'AbortedError') return sendLibraryPage(ctx, deviceDeniedPage);
      const problem = reason && PROBLEMS[reason.name];
      if (reason && out && !problem) return sendLibraryPage(ctx, deviceErrorPage(out));
      if (problem) ctx.status = problem.status;
      sendLibraryPage(ctx, codePage(formOf(ctx), problem?.problem));
    },
    userCodeConfirmSource(ctx, _form, client, _info, userCode) {
      const { accountId } = ctx.oidc.session ?? {};
      const email = accountId === undefined ? undefined : memberRepo.findMember(db, orgCode, accountId)?.primaryEmail;
      sendLibraryPage(ctx, confirmDevicePage(formOf(ctx), { application: client.clientName ?? '', userCode, email }));
    },
    successSource: (ctx) => sendLibraryPage(ctx, deviceSignedInPage(ctx.oidc.client?.clientName ?? '')),
  };
}

/**
 * Saves the session if it is new. After an error, the library writes the next form's secret into the session, which
 * fails if there is no session yet: the page came from a cache, or the browser dropped its cookies.
 */
async function saveNewSession({ oidc }: KoaContextWithOIDC, orgCode: string): Promise<void> {
  const { session, cookies, provider } = oidc;
  if (!session || session.exp !== undefined) return;
  cookies.set(provider.cookieName('session'), session.jti, cookieOptions(orgCode));
  await session.save(SESSION_LIFETIME_S);
}

/** Returns the library form's target, and the secret that ties the form to this browser. */
function formOf({ oidc }: KoaContextWithOIDC) {
  // Omits the origin, so the browser stays on the host name it used to reach the portal.
  return { action: new URL(oidc.urlFor('code_verification')).pathname, xsrf: String(oidc.session?.state?.secret) };
}

/** Sends devices the polling interval, and answers `slow_down` to devices that poll more often (RFC 8628 §3.5). */
export function paceDevices(
  deps: Pick<Deps, 'db' | 'clock'>,
  orgCode: string,
  provider: Provider,
  { errors }: Library,
) {
  provider.on('device_authorization.success', (_ctx, body) => void Object.assign(body, { interval: INTERVAL }));
  provider.on('grant.error', (ctx, reason) => {
    if (!(reason instanceof errors.AuthorizationPending)) return;
    const subject = {
      orgCode,
      kind: 'device-poll' as const,
      subject: hashSecret(String(ctx.oidc.params?.device_code)),
    };
    if (retryAfterSeconds(deps, deps.db, subject) === 0) return countFailure(deps, deps.db, subject);
    const { error, error_description } = new errors.SlowDown();
    ctx.body = { error, error_description };
  });
}
