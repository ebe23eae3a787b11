import { apiResourceRepo, deviceRepo, memberRepo, oidcApplicationRepo, organisationRepo } from '@orchestrate/db';
import { type contract, hasSignIn } from '@orchestrate/shared';
import type { z } from 'zod';
import { mayUseApplication } from '#core/applications.ts';
import type { Deps } from '#deps.ts';
import { nearest, nearestBySegments } from '#platform/nearest.ts';
import { Refusal, refuseField } from '#platform/refusal.ts';
import { claimsByScope } from '#protocols/oidc/tokens/account.ts';
import { requireApplication } from '../faults/require-served.ts';
import { requireMemberWithEmail, requireOrgCode } from '../phones/find-phone.ts';

type TokenOptions = z.output<typeof contract.issueTokens.body>;
type Application = oidcApplicationRepo.OidcApplicationRow;
type Api = apiResourceRepo.ApiResourceRow;

/** Default scopes of a user's tokens, in addition to those of an API. */
const DEFAULT_SCOPES = ['openid', 'profile', 'email', 'offline_access'];

/**
 * Issues tokens of an application without a sign-in.
 * @throws Refusal ORG_CODE_NOT_FOUND, ORG_APP_MISSING, ORG_EMAIL_NOT_FOUND with the closest match; INVALID_REQUEST for
 * a user who can't sign in to the application, an unknown API or scope, or a claim that none of the tokens has
 */
export async function issue(
  deps: Deps,
  { client, org, as, scope, resource, claims = {}, issuer, expiresIn, tamper }: TokenOptions,
) {
  const application = requireClient(deps, client, org, as);
  const { orgCode } = application;
  const user = requireUser(deps, application, as);
  const api = resource === undefined ? undefined : requireApi(deps, orgCode, resource);
  const scopes = requireScopes(deps, application, api, scope);
  const serving = await (await deps.oidcProviders()).providerOf(orgCode);
  if (!serving) throw new Refusal('ORG_CODE_NOT_FOUND');
  const { accessToken, idToken, refreshToken, claimNames } = await serving.issueTokens({
    application,
    user,
    scopes,
    api,
    claims,
    issuer,
    expiresIn,
    flaw: tamper,
  });
  if (issuer !== undefined && claimNames.length === 0)
    refuseField('issuer', 'An opaque access token has no issuer. Set resource.');
  if (typeof tamper === 'object' && !claimNames.includes(tamper.without)) {
    if (claimNames.length === 0) refuseField('tamper.without', 'An opaque access token has no claims. Set resource.');
    const meant = nearest(tamper.without, claimNames);
    const advice = meant ? `Did you mean ${meant}?` : '';
    refuseField('tamper.without', `None of these tokens has the claim ${tamper.without}. ${advice}`.trim());
  }
  return { orgCode, accessToken, ...(idToken && { idToken }), ...(refreshToken && { refreshToken }) };
}

/** Finds the application in `org`, or else in the only organisation that has it or that has both it and the user. */
function requireClient(deps: Deps, client: string, org: string | undefined, as: string | undefined): Application {
  if (org !== undefined) requireOrgCode(deps, 'org', org);
  requireApplication(deps, 'client', org, client);
  const orgCodes = org === undefined ? organisationRepo.listOrgCodes(deps.db) : [org];
  const found = orgCodes.flatMap((code) => oidcApplicationRepo.findOidcApplication(deps.db, code, client) ?? []);
  if (found.length === 0) refuseField('client', `${client} isn't an OpenID Connect application.`);
  const ofUser = found.filter(({ orgCode }) => as && memberRepo.findMemberByEmail(deps.db, orgCode, as));
  const [only, ...others] = ofUser.length > 0 ? ofUser : found;
  if (only === undefined || others.length > 0) {
    const names = found.map(({ orgCode }) => orgCode).sort();
    refuseField('org', `${names.join(' and ')} each have an application ${client}. Set org to select one.`);
  }
  return only;
}

/** Returns the user and their newest device, whose removal ends the tokens. Undefined for service clients. */
function requireUser({ db, ...deps }: Deps, application: Application, as: string | undefined) {
  const { orgCode, appId } = application;
  if (!hasSignIn(application.kind)) {
    if (as !== undefined) refuseField('as', `${appId} is a service client, so its tokens have no user. Omit as.`);
    return undefined;
  }
  if (as === undefined) refuseField('as', `Users sign in to ${appId}. Set as to the email address of a user.`);
  requireMemberWithEmail({ ...deps, db }, 'as', as, orgCode);
  const member = memberRepo.findMemberByEmail(db, orgCode, as);
  if (member?.accountStatus !== 'active') refuseField('as', `${as} is ${member?.accountStatus} and cannot sign in.`);
  if (!mayUseApplication(db, application, member)) refuseField('as', `${as} doesn't have access to ${appId}.`);
  const [device] = deviceRepo.listRegisteredDevices(db, orgCode, member.suid);
  return { suid: member.suid, zid: device?.zid };
}

function requireApi({ db }: Deps, orgCode: string, identifier: string): Api {
  const found = apiResourceRepo.findApiResourceByIdentifier(db, orgCode, identifier);
  if (found) return found;
  const known = apiResourceRepo.listApiResources(db, orgCode).map((api) => api.identifier);
  const meant = nearestBySegments(identifier, known, '/') ?? nearest(identifier, known);
  const list =
    known.length === 0
      ? 'Add one in the organisation’s settings or in its world.'
      : `The APIs are ${known.join(', ')}.`;
  const advice = meant ? `Did you mean ${meant}?` : list;
  return refuseField('resource', `There is no API ${identifier} in ${orgCode}. ${advice}`);
}

/** Returns the scopes of the tokens, all of which must have an effect. */
function requireScopes(
  { db }: Deps,
  { orgCode, appId, kind, claims }: Application,
  api: Api | undefined,
  scope: string | undefined,
): string[] {
  const isForUser = hasSignIn(kind);
  if (scope === undefined) return [...(isForUser ? DEFAULT_SCOPES : []), ...(api?.scopes ?? [])];
  if (!isForUser && !api)
    refuseField('scope', `${appId} is a service client. Set resource to the API that has the scopes.`);
  const ofUser = [
    ...DEFAULT_SCOPES,
    ...Object.keys(claimsByScope(organisationRepo.requireOrganisation(db, orgCode).primaryAttrField)),
    ...claims.flatMap((claim) => claim.scope || []),
  ];
  const known = [...(isForUser ? ofUser : []), ...(api?.scopes ?? [])];
  const scopes = [...new Set(scope.split(' ').filter(Boolean))];
  for (const one of scopes) {
    if (known.includes(one)) continue;
    const meant = nearest(one, known);
    const advice = meant ? `Did you mean ${meant}?` : '';
    refuseField('scope', `Neither ${appId} nor its API has the scope ${one}. ${advice}`.trim());
  }
  if (!api && !scopes.some((one) => one !== 'offline_access')) refuseField('scope', 'Request a scope such as openid.');
  return scopes;
}
