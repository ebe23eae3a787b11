import type { EventEmitter } from 'node:events';
import { memberRepo, oidcApplicationRepo, oidcModelRepo } from '@orchestrate/db';
import { DEVICE_GRANT, TOKEN_EXCHANGE_GRANT } from '@orchestrate/shared';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { mayUseApplication } from '#core/applications.ts';
import { rememberRefusedRedirect } from '#core/sign-in/refused-redirects.ts';
import type { Deps } from '#deps.ts';
import { hashSecret } from '#platform/adapters/secrets.ts';
import { refusalReasons } from '#platform/journal.ts';
import { Refusal } from '#platform/refusal.ts';
import { errorPage } from './pages.ts';
import { sendLibraryPage } from './send-page.ts';

/** Events that the library emits when an endpoint that reads a form fails. */
const FORM_EVENTS = [
  'grant.error',
  'introspection.error',
  'revocation.error',
  'device_authorization.error',
  'pushed_authorization_request.error',
  'userinfo.error',
  'code_verification.error',
  'end_session_confirm.error',
];
const OTHER_EVENTS = ['authorization.error', 'end_session.error', 'device_resume.error'];

/** An error of the library. `error_detail` is for logs only, because it would help attackers. */
interface LibraryError extends Error {
  error?: string;
  error_description?: string;
  error_detail?: string;
}

/**
 * Answers 413 and states the limit if a body of undeclared length was too large (RFC 9110 §15.5.14): see
 * `boundBodies`.
 */
export function reportLargeBodies(provider: Provider): void {
  const refuse = (ctx: KoaContextWithOIDC, { cause }: Error) => {
    if (!(cause instanceof Refusal)) return;
    const refusal = { error: 'invalid_request', error_description: cause.message };
    ctx.status = 413;
    if (ctx.response.is('html')) sendLibraryPage(ctx, errorPage(refusal));
    else ctx.body = refusal;
  };
  for (const name of FORM_EVENTS) (provider as EventEmitter).on(name, refuse);
}

/** Remembers redirect URIs that aren't registered, so that an administrator can see and add them. */
export function rememberRefusedRedirects(deps: Deps, orgCode: string, provider: Provider): void {
  provider.on('authorization.error', ({ oidc }, { error }: LibraryError) => {
    const redirectUri = oidc.params?.redirect_uri;
    const appId = oidc.client?.clientId;
    if (error === 'invalid_redirect_uri' && typeof redirectUri === 'string' && appId !== undefined)
      rememberRefusedRedirect(deps, { orgCode, appId, redirectUri });
  });
}

/**
 * Records in the lab's journal why a request was refused. The response is less specific (RFC 6749 §5.2). Must be the
 * first middleware, because the others can replace the error.
 */
export function explainErrors(deps: Deps, orgCode: string, provider: Provider): void {
  if (!deps.journal.isOn) return;
  const errors = new WeakMap<object, { ctx: KoaContextWithOIDC; error: LibraryError }>();
  const note = (ctx: KoaContextWithOIDC, error: LibraryError) => void errors.set(ctx.req, { ctx, error });
  for (const name of [...FORM_EVENTS, ...OTHER_EVENTS]) (provider as EventEmitter).on(name, note);
  provider.use(async (ctx, next) => {
    await next();
    const noted = errors.get(ctx.req);
    if (!noted) return;
    const { error } = noted;
    const sent: unknown = ctx.body?.error_description;
    const isReplaced = typeof sent === 'string' && sent !== error.error_description;
    const reason = isReplaced ? sentenceOf(sent) : reasonOf(deps, orgCode, noted.ctx, error);
    refusalReasons.set(ctx.req, reason);
  });
}

/** Codes and tokens that a grant redeems: the parameter and the library's model. */
const REDEEMED: Readonly<Record<string, readonly [parameter: string, model: string]>> = {
  authorization_code: ['code', 'AuthorizationCode'],
  refresh_token: ['refresh_token', 'RefreshToken'],
  [DEVICE_GRANT]: ['device_code', 'DeviceCode'],
  [TOKEN_EXCHANGE_GRANT]: ['subject_token', 'AccessToken'],
};

/** Explanations of the library's details. Other details are already sentences. */
const REASONS: Readonly<Record<string, string>> = {
  'authorization code not found': 'The authorization code is unknown, or it expired and was deleted.',
  'authorization code is expired': 'The authorization code has expired.',
  'authorization code already consumed':
    'The authorization code has already been used. The tokens issued for it are now revoked.',
  'authorization code redirect_uri mismatch': 'The redirect_uri differs from the one in the authorization request.',
  'refresh token not found': 'The refresh token is unknown, or it was revoked, or it expired and was deleted.',
  'refresh token is expired': 'The refresh token has expired.',
  'refresh token already used': 'The refresh token has already been used. All tokens of this sign-in are now revoked.',
  'device code not found': 'The device code is unknown, or it expired and was deleted.',
  'device code is expired': 'The device code has expired.',
  'device code already consumed': 'The device code has already been used. The tokens issued for it are now revoked.',
  'already used': 'Another request used this code or token at the same time. Its tokens are now revoked.',
  'client mismatch': 'The code or token belongs to another application.',
  'grant not found': 'The sign-in of this code or token has ended.',
  'grant is expired': 'The sign-in of this code or token has expired.',
  'code_verifier does not match code_challenge':
    "The code_verifier doesn't match the code_challenge of the authorization request.",
  'code_verifier must be provided': 'The code_verifier is missing. The authorization request had a code_challenge.',
  'invalid secret provided': 'The client secret is wrong.',
  'access token not found': 'The access token is unknown, expired or revoked.',
};

/** Returns why a request was refused, as a sentence without secrets. */
function reasonOf(deps: Deps, orgCode: string, ctx: KoaContextWithOIDC, error: LibraryError): string {
  const { client, params } = ctx.oidc;
  const detail = error.error_detail ?? error.error_description ?? error.message;
  if (error.error === 'unsupported_grant_type')
    return `This grant_type isn't supported. Use ${GRANT_TYPES.join(', ')}.`;
  if (detail === 'requested grant type is not allowed for this client' && client)
    return `The application can't use this grant_type. It can use ${client.grantTypes?.join(', ')}.`;
  if (detail === 'client not found') return `The organisation ${orgCode} has no application with this client_id.`;
  if (detail.startsWith('the provided authentication mechanism') && client)
    return `The application must authenticate with ${METHODS[String(client.tokenEndpointAuthMethod)]}.`;
  const [parameter = '', model = ''] = REDEEMED[String(params?.grant_type)] ?? [];
  const value = params?.[parameter];
  const row =
    typeof value === 'string'
      ? oidcModelRepo.findOidcModel(deps.db, { orgCode, model, idHash: hashSecret(value) })
      : undefined;
  // Disabling a user also ends their grants.
  const account = detail === 'grant not found' || detail.endsWith('(referenced account not found)');
  const refused = account && row ? accountReason(deps, client?.clientId, row) : undefined;
  if (refused) return refused;
  // The store hides expired codes and tokens from the library until they are deleted.
  const isHidden = row !== undefined && detail.endsWith(' not found') && detail !== 'grant not found';
  if (isHidden) return REASONS[detail.replace(/not found$/, 'is expired')] ?? sentenceOf(detail);
  return REASONS[detail] ?? sentenceOf(detail);
}

/** Client authentication methods in words. */
const METHODS: Readonly<Record<string, string>> = {
  client_secret_basic: 'a client secret',
  private_key_jwt: 'a client_assertion (private_key_jwt)',
  none: 'its client_id only, because it is a public client',
};

/** Grants that the token endpoint supports. */
const GRANT_TYPES = [...Object.keys(REDEEMED), 'client_credentials'];

/** Returns why the user of a code or token can't use the application. Undefined if they can. */
function accountReason(
  { db }: Deps,
  appId: string | undefined,
  { orgCode, payload }: oidcModelRepo.OidcModelRow,
): string | undefined {
  const member = memberRepo.findMember(db, orgCode, String(payload.accountId));
  if (!member || member.accountStatus === 'deleted') return 'The user was deleted.';
  if (member.accountStatus !== 'active') return `The user is ${member.accountStatus} and cannot sign in.`;
  const application = appId === undefined ? undefined : oidcApplicationRepo.findOidcApplication(db, orgCode, appId);
  const isAllowed = application === undefined || mayUseApplication(db, application, member);
  return isAllowed ? undefined : "The user doesn't have access to the application.";
}

/** Maximum length of a reason, because descriptions can repeat the client's input. */
const REASON_MAX_LENGTH = 500;

/** Returns a description of the library as a sentence. Names such as `code_verifier` keep their case. */
function sentenceOf(description: string): string {
  const text = description.replaceAll(/\s+/g, ' ').trim().slice(0, REASON_MAX_LENGTH);
  const isWord = /^[a-z]+(?![\w(]| \()/.test(text);
  return `${isWord ? text.charAt(0).toUpperCase() + text.slice(1) : text}${/[.!?]$/.test(text) ? '' : '.'}`;
}
