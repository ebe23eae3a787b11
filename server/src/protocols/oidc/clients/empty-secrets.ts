import { applicationRepo } from '@orchestrate/db';
import { isPublicKind } from '@orchestrate/shared';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { Deps } from '#deps.ts';
import type { Body } from '../overrides/rewrite-bodies.ts';

/**
 * Clients that have no secret, and send it empty by Basic, are understood as if they had named themselves in the body:
 * an empty secret may be left out (RFC 6749 §2.3.1). The library reads the header after the body.
 */
export function withoutEmptySecret(
  { db }: Pick<Deps, 'db'>,
  orgCode: string,
  { headers }: KoaContextWithOIDC,
  body: Body,
): Body {
  const clientId = withoutSecret(headers.authorization);
  const isAlone = body?.client_id === undefined || body.client_id === clientId;
  if (body === undefined || clientId === undefined || !isAlone) return body;
  const client = applicationRepo.findOidcClient(db, orgCode, clientId);
  if (!client || !isPublicKind(client.kind)) return body;
  delete headers.authorization;
  return { ...body, client_id: clientId };
}

/** The client that a header names without a secret. */
function withoutSecret(header = ''): string | undefined {
  const encoded = /^basic +([a-z0-9+/]+=*)$/i.exec(header)?.[1] ?? '';
  const [, name] = /^([^:]+):$/.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  if (name === undefined) return undefined;
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
