import type { organisationRepo } from '@orchestrate/db';
import { memberRepo } from '@orchestrate/db';
import type { Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider';
import { countFailure, secondsUntilRoom } from '#core/sign-in/budgets.ts';
import type { Deps } from '#deps.ts';
import { hashSecret } from '#platform/adapters/secrets.ts';
import { oidcPath } from '#platform/own-addresses.ts';
import { SESSION } from '../tokens/lifetimes.ts';
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

/** How long a device waits between two polls, in seconds (RFC 8628 §3.2). */
const INTERVAL = 5;

/** How the library's cookies are set. */
export const cookieOf = (orgCode: string) => ({ httpOnly: true, sameSite: 'lax', path: oidcPath(orgCode) }) as const;

/** Why a code is asked for once more, by the names of the library's errors, and the status of that page. */
const PROBLEMS: Readonly<Record<string, { problem: CodeProblem; status: number }>> = {
  NoCodeError: { problem: 'none', status: 400 },
  // Wrong ones are counted by this status: see `answer-oidc.ts`.
  NotFoundError: { problem: 'unknown', status: 404 },
  ExpiredError: { problem: 'expired', status: 410 },
  AlreadyUsedError: { problem: 'used', status: 410 },
  InvalidRequest: { problem: 'outdated', status: 400 },
};

/** Signing in on devices without a browser, by a code that they show (RFC 8628), with pages of ours. */
export function deviceFlow(
  { db }: Pick<Deps, 'db'>,
  { orgCode }: Pick<organisationRepo.OrganisationRow, 'orgCode'>,
): DeviceFlow {
  return {
    enabled: true,
    // Nothing is shown of it: a device may say anything about itself.
    deviceInfo: () => ({}),
    async userCodeInputSource(ctx, _form, out, reason) {
      if (reason) await keepSession(ctx, orgCode);
      if (reason?.name === 'AbortedError') return show(ctx, deviceDeniedPage());
      const known = reason && PROBLEMS[reason.name];
      if (reason && out && !known) return show(ctx, deviceErrorPage(out));
      if (known) ctx.status = known.status;
      show(ctx, codePage(formOf(ctx), known?.problem));
    },
    userCodeConfirmSource(ctx, _form, client, _info, userCode) {
      const { accountId } = ctx.oidc.session ?? {};
      const email = accountId === undefined ? undefined : memberRepo.findMember(db, orgCode, accountId)?.primaryEmail;
      show(ctx, confirmDevicePage(formOf(ctx), { application: client.clientName ?? '', userCode, email }));
    },
    successSource: (ctx) => show(ctx, deviceSignedInPage(ctx.oidc.client?.clientName ?? '')),
  };
}

/**
 * The library writes the secret of a form that follows an error into the browser's session, and cannot where there is
 * none yet: the page was kept, or its cookies were not.
 */
async function keepSession({ oidc }: KoaContextWithOIDC, orgCode: string): Promise<void> {
  const { session, cookies, provider } = oidc;
  if (!session || session.exp !== undefined) return;
  cookies.set(provider.cookieName('session'), session.jti, cookieOf(orgCode));
  await session.save(SESSION);
}

/** The library's form: where it goes, and the secret that ties it to this browser. */
function formOf({ oidc }: KoaContextWithOIDC) {
  // Without the origin: the browser stays at whichever name it reached the portal by.
  return { action: new URL(oidc.urlFor('code_verification')).pathname, xsrf: String(oidc.session?.state?.secret) };
}

function show(ctx: KoaContextWithOIDC, html: string): void {
  ctx.type = 'html';
  ctx.body = html;
}

/** Tells devices how often they may ask, and those that ask more often to slow down (RFC 8628 §3.5). */
export function paceDevices(
  deps: Pick<Deps, 'db' | 'clock'>,
  orgCode: string,
  provider: Provider,
  { errors }: Library,
) {
  provider.on('device_authorization.success', (_ctx, body) => void Object.assign(body, { interval: INTERVAL }));
  provider.on('grant.error', (ctx, reason) => {
    if (!(reason instanceof errors.AuthorizationPending)) return;
    const trier = { orgCode, kind: 'device-poll' as const, subject: hashSecret(String(ctx.oidc.params?.device_code)) };
    if (secondsUntilRoom(deps, deps.db, trier) === 0) return countFailure(deps, deps.db, trier);
    const { error, error_description } = new errors.SlowDown();
    ctx.body = { error, error_description };
  });
}
