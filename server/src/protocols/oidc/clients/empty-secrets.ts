import { applicationRepo } from '@orchestrate/db';
import { isPublicKind } from '@orchestrate/shared';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { Deps } from '#deps.ts';
import type { Body } from '../overrides/rewrite-bodies.ts';

/**
 * For a public client that sent an empty secret with Basic, returns the body with its `client_id` and removes the
 * header. An empty secret can be omitted (RFC 6749 §2.3.1). The library reads the header after the body, so it never
 * sees the removed header.
 */
export function withoutEmptySecret(
  { db }: Pick<Deps, 'db'>,
  orgCode: string,
  { headers }: KoaContextWithOIDC,
  body: Body,
): Body {
  const clientId = clientWithoutSecret(headers.authorization);
  const isSameClient = body?.client_id === undefined || body.client_id === clientId;
  if (body === undefined || clientId === undefined || !isSameClient) return body;
  const client = applicationRepo.findOidcClient(db, orgCode, clientId);
  if (!client || !isPublicKind(client.kind)) return body;
  delete headers.authorization;
  return { ...body, client_id: clientId };
}

/** Returns the client ID from a Basic header with an empty secret, or undefined for any other header. */
function clientWithoutSecret(header = ''): string | undefined {
  const encoded = /^basic +([a-z0-9+/]+=*)$/i.exec(header)?.[1] ?? '';
  const [, name] = /^([^:]+):$/.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  if (name === undefined) return undefined;
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
