import {
  APP_NAME_PATTERN,
  addressProblem,
  type ClientKind,
  clientKeys,
  DEVICE_GRANT,
  idTokenAlgorithm,
  isLoopback,
  LIMITS,
  someUrls,
  TOKEN_LIFETIMES,
  webAddress,
} from '@orchestrate/shared';
import { z } from 'zod';
import { hasCallbackOrigin, ORIGIN_MISMATCH_MESSAGE } from './front-channel.ts';

const GRANTS = ['authorization_code', 'refresh_token', 'client_credentials', DEVICE_GRANT] as const;
const METHODS = ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'] as const;

const oneOf = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, `is not supported; use ${values.join(', ')}`);
/** Keeps only the supported values of a list. The response shows the client which values were kept (RFC 7591 §2). */
const someOf = <const Values extends readonly string[]>(values: Values) =>
  z.array(z.string()).transform((given, context): Values[number][] => {
    const found = values.filter((value) => given.includes(value));
    if (found.length > 0 || given.length === 0) return found;
    context.addIssue({ code: 'custom', message: `must contain at least one of ${values.join(', ')}` });
    return z.NEVER;
  });

/** Metadata for protection or behaviour the portal doesn't support. Only `false` is accepted. */
const off = z.literal(false, 'is not supported; omit it').optional();
const absent = z.undefined('is not supported; omit it').optional();

const UNSUPPORTED = {
  // RFC 9449 §5.2, RFC 9126 §6, RFC 9101 §10.5, RFC 8705 §3.4. Accepting these would let an application rely on a
  // check that never happens.
  dpop_bound_access_tokens: off,
  require_pushed_authorization_requests: off,
  require_signed_request_object: off,
  tls_client_certificate_bound_access_tokens: off,
  // OpenID Connect Dynamic Client Registration 1.0 §2.
  default_max_age: absent,
  default_acr_values: absent,
  request_object_signing_alg: absent,
  request_object_encryption_alg: absent,
  userinfo_signed_response_alg: absent,
  userinfo_encrypted_response_alg: absent,
  id_token_encrypted_response_alg: absent,
  // RFC 9701 §6, JARM §3.
  introspection_signed_response_alg: absent,
  introspection_encrypted_response_alg: absent,
  authorization_signed_response_alg: absent,
  authorization_encrypted_response_alg: absent,
  // The signing algorithm can't be enforced if the client's keys are at a URL, so reject this field.
  token_endpoint_auth_signing_alg: absent,
} satisfies z.ZodRawShape;

/**
 * Client metadata accepted at registration (RFC 7591 §2, OpenID Connect Dynamic Client Registration 1.0 §2). Purely
 * descriptive metadata, such as a logo or contacts, is dropped; the response shows what was kept.
 */
const clientMetadata = z.object({
  ...UNSUPPORTED,
  client_name: z.string().max(500).optional(),
  application_type: oneOf(['web', 'native']).default('web'),
  redirect_uris: someUrls.default([]),
  post_logout_redirect_uris: someUrls.optional(),
  grant_types: someOf(GRANTS).default(['authorization_code']),
  response_types: someOf(['code']).optional(),
  token_endpoint_auth_method: oneOf(METHODS).optional(),
  subject_type: oneOf(['public']).optional(),
  jwks: clientKeys.optional(),
  jwks_uri: webAddress.optional(),
  id_token_signed_response_alg: idTokenAlgorithm.default('RS256'),
  backchannel_logout_uri: webAddress.optional(),
  frontchannel_logout_uri: webAddress.optional(),
});
type ClientMetadata = z.output<typeof clientMetadata>;

/** Thrown when a registration is refused (RFC 7591 §3.2.2). */
export class ClientMetadataError extends Error {
  readonly error: 'invalid_redirect_uri' | 'invalid_client_metadata';

  /** @param field name of the invalid metadata field @param description the reason */
  constructor(field: string, description: string) {
    super(`${field} ${description}`.trim());
    this.error = field.startsWith('redirect_uris') ? 'invalid_redirect_uri' : 'invalid_client_metadata';
  }

  /** Converts a refusal's issue to an RFC 7591 error. */
  static from({ path, message }: { path: string; message: string }): ClientMetadataError {
    return new ClientMetadataError(`${path.replace(/^oidcConfiguration\.clients\./, '')}:`, message);
  }
}

/** Converts registration metadata to the portal's application settings. @throws ClientMetadataError */
export function readClientMetadata(body: unknown) {
  const given = withoutNulls(body);
  const parsed = clientMetadata.safeParse(given);
  const [issue] = parsed.error?.issues ?? [];
  if (issue) throw new ClientMetadataError(issue.path.join('.') || 'the request', issue.message);
  const metadata = clientMetadata.parse(given);
  const kind = kindOf(metadata);
  requireAddresses(kind, metadata);
  requireKeys(metadata);
  const { redirect_uris: redirects, grant_types: grants, frontchannel_logout_uri: page = null } = metadata;
  if (!hasCallbackOrigin({ redirectUris: redirects, frontchannelLogoutUri: page }))
    throw new ClientMetadataError('frontchannel_logout_uri', `has ${page}. ${ORIGIN_MISMATCH_MESSAGE}`);
  return {
    kind,
    name: nameOf(metadata),
    registeredName: metadata.client_name ?? null,
    method: metadata.token_endpoint_auth_method,
    clients: {
      kind,
      redirect_uris: redirects,
      // Every application with a sign-in has a post-logout redirect URI (spec 2 §3).
      post_logout_redirect_uris: metadata.post_logout_redirect_uris ?? redirects.slice(0, 1),
      jwks: metadata.jwks ?? null,
      jwks_uri: metadata.jwks_uri ?? '',
      id_token_signed_response_alg: metadata.id_token_signed_response_alg,
      backchannel_logout_uri: metadata.backchannel_logout_uri ?? '',
      frontchannel_logout_uri: page ?? '',
      ttl_RefreshToken: grants.includes('refresh_token') ? TOKEN_LIFETIMES.ttlRefreshToken : 0,
    },
  };
}

/**
 * Removes nulls. Null metadata means the same as missing metadata (RFC 7592 §2.2), and many serialisers write nulls.
 */
const withoutNulls = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && !Array.isArray(body)
    ? Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
    : body;

function kindOf({ grant_types: grants, token_endpoint_auth_method: method, ...client }: ClientMetadata): ClientKind {
  if (grants.includes('client_credentials')) {
    if (grants.length > 1)
      throw new ClientMetadataError('grant_types', 'cannot combine client_credentials with other grants');
    if (method === 'none')
      throw new ClientMetadataError(
        'token_endpoint_auth_method',
        'cannot be none for a service client, which must authenticate',
      );
    return 'machine';
  }
  const hasCode = grants.includes('authorization_code');
  if (!hasCode && grants.includes(DEVICE_GRANT)) {
    if (method !== undefined && method !== 'none') {
      throw new ClientMetadataError('token_endpoint_auth_method', 'must be none for the device grant');
    }
    return 'native';
  }
  if (!hasCode) throw new ClientMetadataError('grant_types', 'must contain authorization_code');
  // Ignore the device grant here, because only clients without a secret can use it.
  if (method !== 'none') return 'web';
  if (grants.includes(DEVICE_GRANT)) return 'native';
  const isOnDevice = (address: string) => isLoopback(address) || !/^https?:/i.test(address);
  return client.application_type === 'native' || client.redirect_uris.some(isOnDevice) ? 'native' : 'single-page';
}

function requireAddresses(kind: ClientKind, metadata: ClientMetadata): void {
  const isSentBack = metadata.grant_types.includes('authorization_code');
  if (isSentBack && metadata.redirect_uris.length === 0)
    throw new ClientMetadataError('redirect_uris', 'must contain at least one URI');
  for (const list of ['redirect_uris', 'post_logout_redirect_uris'] as const) {
    for (const address of metadata[list] ?? []) {
      const problem = addressProblem(kind, address);
      if (problem !== undefined) throw new ClientMetadataError(list, `has ${address}. ${problem}`);
    }
  }
}

function requireKeys({ token_endpoint_auth_method: method, jwks, jwks_uri: address }: ClientMetadata): void {
  if (jwks && address !== undefined) throw new ClientMetadataError('jwks_uri', 'cannot be combined with jwks');
  const hasKeys = jwks !== undefined || address !== undefined;
  if (method === 'private_key_jwt' && !hasKeys)
    throw new ClientMetadataError('jwks', 'or jwks_uri is required for private_key_jwt');
  if (method !== 'private_key_jwt' && hasKeys) {
    throw new ClientMetadataError('token_endpoint_auth_method', 'must be private_key_jwt for a client with keys');
  }
}

/** Normalises a client's name in the same way as application names. */
function nameOf({ client_name: given = '' }: ClientMetadata): string {
  const written = [...given].map((character) => (APP_NAME_PATTERN.test(character) ? character : ' ')).join('');
  // Leave room to append a number if the name is taken.
  const name = written
    .replaceAll(/ +/g, ' ')
    .trim()
    .slice(0, LIMITS.appNameMaxLength - 5);
  return name.trim() || 'Registered application';
}
