import { randomBytes } from 'node:crypto';
import { scimSchemaRepo, scimTokenRepo } from '@orchestrate/db';
import * as contract from '@orchestrate/shared';
import { DAY, LIMITS, type ProviderCheck, type ScimToken, type TokenForm } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { factsOf } from '../../core/audit/facts-of.ts';
import { record } from '../../core/audit/record.ts';
import { discoveryAddressOf } from '../../core/sign-in/discovery-address.ts';
import {
  createProviderFetch,
  discoverProvider,
  type Provider,
  type ProviderSettings,
  providerPolicy,
} from '../../core/sign-in/external-provider.ts';
import type { Deps } from '../../deps.ts';
import {
  fetchOutside,
  isLoopbackAddress,
  requireOutsideAddress,
  UNREADABLE,
} from '../../platform/adapters/fetch-outside.ts';
import { hashSecret } from '../../platform/adapters/hash-secret.ts';
import type { AuditActor } from '../../platform/http/callers/actors.ts';
import type { Caller } from '../../platform/http/callers/caller.ts';
import { implement } from '../../platform/http/implement.ts';
import { isoOf } from '../../platform/iso-of.ts';
import { callbackAddress } from '../../platform/own-addresses.ts';
import { Refusal } from '../../platform/refusal.ts';
import { type Discovery, readDiscovery } from './discovery.ts';
import { editableProvider, portalOidcOf, savePortalOidc } from './portal-oidc.ts';
import { authorityOf, editableCredentials, renewScimCredentials, scimCredentialsOf } from './scim-credentials.ts';
import { scimLogOf } from './scim-log.ts';
import { createScimSchema, deleteScimSchema, scimSchemaOf, updateScimSchema } from './scim-schemas.ts';

type Verdict = Pick<ProviderCheck, 'result' | 'detail'>;

/**
 * Said by a provider that knows client and callback, but has no session to answer from (OpenID Connect Core §3.1.2.6).
 */
const NEEDS_A_PERSON = ['login_required', 'interaction_required', 'consent_required', 'account_selection_required'];
/** Error codes as RFC 6749 §4.1.2.1 allows them, if short: the only words of a provider that are repeated. */
const ERROR_CODE = /^[a-z_]{1,60}$/;

const SILENT: Verdict = { result: 'unknown', detail: "Couldn't reach the provider. Try again." };
const OWN_PAGE: Verdict = {
  result: 'unknown',
  detail: "The provider's page doesn't show whether it knows the client. Sign in to find out.",
};

/**
 * Asks a provider whether it would let the portal sign people in, without signing anybody in: an authorization request
 * with `prompt=none` shows whether it knows the client and its callback address, a made-up code whether it takes the
 * secret. Empty without a client id.
 */
async function checkClient(deps: Deps, settings: ProviderSettings): Promise<ProviderCheck[]> {
  if (settings.clientId === '') return [];
  const fetch = createProviderFetch(deps);
  const provider = await discoverProvider(deps, fetch, settings, 0).catch(() => undefined);
  if (!provider) return [{ subject: 'client', ...SILENT }];
  const callback = callbackAddress(deps);
  const asked = async (check: Promise<Verdict>): Promise<Verdict> => check.catch(() => SILENT);
  const [client, secret] = await Promise.all([
    asked(checkCallback(fetch, provider, callback)),
    settings.clientSecret === '' ? undefined : asked(checkSecret(provider, callback)),
  ]);
  return [{ subject: 'client', ...client }, ...(secret ? [{ subject: 'secret' as const, ...secret }] : [])];
}

async function checkCallback(
  fetch: ReturnType<typeof createProviderFetch>,
  { client, configuration }: Provider,
  callback: string,
): Promise<Verdict> {
  const address = client.buildAuthorizationUrl(configuration, {
    redirect_uri: callback,
    scope: 'openid email',
    state: client.randomState(),
    nonce: client.randomNonce(),
    code_challenge: await client.calculatePKCECodeChallenge(client.randomPKCECodeVerifier()),
    code_challenge_method: 'S256',
    prompt: 'none',
  });
  const { status, headers } = await fetch(address.href, { method: 'GET', headers: { accept: 'text/html' } });
  if (status >= 500) return SILENT;
  if (status >= 400) {
    const detail = `The provider does not know this client id, or ${callback} is not registered for it.`;
    return { result: 'refused', detail };
  }
  const target = URL.parse(headers.get('location') ?? '', address.href);
  if (!target?.href.startsWith(`${callback}?`)) return OWN_PAGE;
  const error = target.searchParams.get('error');
  if (error === null || NEEDS_A_PERSON.includes(error)) {
    return { result: 'accepted', detail: 'The provider knows the client id and returns to the callback URL.' };
  }
  return { result: 'refused', detail: `The provider refuses the request of this client${coded(error)}.` };
}

async function checkSecret({ client, configuration }: Provider, callback: string): Promise<Verdict> {
  const request = client.genericGrantRequest(configuration, 'authorization_code', {
    code: randomBytes(32).toString('base64url'),
    redirect_uri: callback,
    code_verifier: client.randomPKCECodeVerifier(),
  });
  const error = await request.then(
    () => '',
    (reason) => {
      if (reason instanceof client.ResponseBodyError) return reason.error;
      // Without a body that says why (RFC 6749 §5.2: 401 is `invalid_client`).
      if (reason instanceof client.WWWAuthenticateChallengeError) return 'invalid_client';
      throw reason;
    },
  );
  if (error === 'invalid_grant') return { result: 'accepted', detail: 'The provider accepts the client secret.' };
  if (error === 'invalid_client' || error === 'unauthorized_client') {
    return { result: 'refused', detail: `The provider rejected the client ID and secret${coded(error)}.` };
  }
  return {
    result: 'unknown',
    detail: `The provider’s response doesn’t show whether the secret is correct${coded(error)}.`,
  };
}

const coded = (error: string) => (ERROR_CODE.test(error) ? ` (${error})` : '');

type Row = scimTokenRepo.ScimTokenRow;

const objectOf = ({ id, name }: Row) => ({ type: 'scim-token', id, name }) as const;

/** The tokens of an organisation's directories, the newest first. */
const scimTokensOf = (deps: Deps, orgCode: string): ScimToken[] =>
  scimTokenRepo.listScimTokens(deps.db, orgCode).map((row) => scimTokenOf(deps, row));

function scimTokenOf({ db }: Deps, row: Row): ScimToken {
  const { id: tokenId, name } = row;
  const times = {
    createdAt: isoOf(row.createdAt),
    lastUsedAt: isoOf(row.lastUsedAt),
    expiresAt: isoOf(row.expiresAt),
  };
  return { tokenId, name, ...times, ...authorityOf(db, row) };
}

/**
 * Makes a token, which may grant what the caller may. The others stay, so that a directory can change over to the new
 * one.
 * @returns the token too, which is not kept
 * @throws Refusal INVALID_REQUEST where there are too many
 */
function createScimToken(
  deps: Deps,
  { caller, actor }: { caller: Caller; actor: AuditActor },
  { name, lifetimeDays }: TokenForm,
): { token: ScimToken; secret: string } {
  const { db, clock, random } = deps;
  const { orgCode, suid, permissions } = caller;
  const secret = random.secret();
  const now = clock.now();
  const made = {
    id: random.id(),
    orgCode,
    name,
    hash: hashSecret(secret),
    createdAt: now,
    madeBySuid: suid,
    ceiling: [...permissions],
    lastUsedAt: null,
    expiresAt: now + lifetimeDays * DAY,
  };
  db.transaction((tx) => {
    if (scimTokenRepo.listScimTokens(tx, orgCode).length >= LIMITS.scimTokens) {
      throw new Refusal('INVALID_REQUEST', {
        issues: [{ path: 'name', message: `At most ${LIMITS.scimTokens} tokens: revoke one first` }],
      });
    }
    scimTokenRepo.insertScimToken(tx, made);
    const after = factsOf({ name, expiresAt: isoOf(made.expiresAt), ceiling: made.ceiling });
    record(deps, tx, actor, { action: 'scim-token.created', object: objectOf(made), after });
  });
  return { token: scimTokenOf(deps, made), secret };
}

/** @throws Refusal ID_DOESNOT_EXIST */
function revokeScimToken(deps: Deps, actor: AuditActor, tokenId: string): void {
  deps.db.transaction((tx) => {
    const gone = scimTokenRepo.deleteScimToken(tx, actor.orgCode, tokenId);
    if (!gone) throw new Refusal('ID_DOESNOT_EXIST', { message: 'There is no such token.' });
    const before = factsOf({ name: gone.name });
    record(deps, tx, actor, { action: 'scim-token.revoked', object: objectOf(gone), before });
  });
}

/** What other systems are told: credentials for provisioning users, and the provider that signs them in. */
export function provisioning(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, contract.getScimCredentials, ({ caller, version }) => {
    version.answer(editableCredentials(deps.db, caller.orgCode));
    return scimCredentialsOf(deps, caller);
  });
  implement(app, deps, contract.renewScimCredentials, ({ caller, actor, version }) =>
    renewScimCredentials(deps, { caller, actor }, version),
  );

  implement(app, deps, contract.listScimTokens, ({ caller }) => ({ tokens: scimTokensOf(deps, caller.orgCode) }));
  implement(app, deps, contract.createScimToken, ({ caller, actor, body }) =>
    createScimToken(deps, { caller, actor }, body),
  );
  implement(app, deps, contract.revokeScimToken, ({ actor, params: { tokenId } }) => {
    revokeScimToken(deps, actor, tokenId);
    return {};
  });

  implement(app, deps, contract.listScimSchemas, ({ caller }) => ({
    schemas: scimSchemaRepo.listScimSchemas(deps.db, caller.orgCode).map(scimSchemaOf),
  }));
  implement(app, deps, contract.createScimSchema, async ({ actor, body }) => ({
    schema: scimSchemaOf(await createScimSchema(deps, actor, body)),
  }));
  implement(app, deps, contract.updateScimSchema, async ({ actor, params: { schemaId }, body, version }) => {
    const { deleteValues, ...form } = body;
    return { schema: scimSchemaOf(await updateScimSchema(deps, actor, schemaId, { form, deleteValues, version })) };
  });
  implement(app, deps, contract.deleteScimSchema, async ({ actor, params: { schemaId }, body }) => {
    await deleteScimSchema(deps, actor, schemaId, body.deleteValues);
    return {};
  });

  implement(app, deps, contract.getScimLog, ({ caller, query }) => scimLogOf(deps, caller.orgCode, query));

  implement(app, deps, contract.getOidcConfiguration, ({ caller, version }) => {
    const shown = portalOidcOf(deps, caller.orgCode);
    version.answer(editableProvider(shown));
    return shown;
  });
  implement(app, deps, contract.saveOidcConfiguration, ({ caller, actor, body, version }) => {
    const { approvalId, ...content } = body;
    return savePortalOidc(deps, { caller, actor, approvalId }, content, version);
  });
  implement(app, deps, contract.testOidcConfiguration, async ({ body }) => ({
    ...(await discover(deps, body.configurationUrl)),
    checks: await checkClient(deps, { clientId: '', clientSecret: '', ...body }),
  }));
}

/** A discovery document is a few kilobytes long. */
const DOCUMENT_MAX_BYTES = 262_144;

/**
 * @throws Refusal INVALID_REQUEST with an issue on `configurationUrl`, for anything that keeps the document from being
 * used
 */
async function discover(deps: Deps, configurationUrl: string): Promise<Discovery> {
  const field = 'configurationUrl';
  const policy = providerPolicy(deps);
  requireOutsideAddress(policy, configurationUrl, field);
  const address = discoveryAddressOf(configurationUrl);
  const options = { field, maxBytes: DOCUMENT_MAX_BYTES, accept: 'application/json' };
  const { body } = await fetchOutside(policy, address.url, options);
  const found = readDiscovery(body.toString(), address);
  if ('obstacle' in found) {
    // Not even the kind of other services on this machine is disclosed to others.
    const isHidden = isLoopbackAddress(address.url) && !policy.isLocal;
    const message = isHidden ? UNREADABLE : found.obstacle;
    throw new Refusal('INVALID_REQUEST', { issues: [{ path: field, message }] });
  }
  return found;
}
