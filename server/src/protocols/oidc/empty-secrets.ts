import { applicationRepo } from '@orchestrate/db';
import { isPublicKind } from '@orchestrate/shared';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { Deps } from '../../deps.ts';

type Body = KoaContextWithOIDC['oidc']['body'];

/**
 * Clients that have no secret, and send it empty by Basic, are understood as if they had named themselves in the body:
 * an empty secret may be left out (RFC 6749 §2.3.1). The library reads the header after the body.
 */
export function acceptEmptySecrets({ db }: Pick<Deps, 'db'>, orgCode: string, provider: Provider): void {
  const hasNoSecret = (clientId: string): boolean => {
    const client = applicationRepo.findOidcClient(db, orgCode, clientId);
    return client !== undefined && isPublicKind(client.kind);
  };
  const bodies = new WeakMap<object, Body>();
  Object.defineProperty(provider.OIDCContext.prototype, 'body', {
    get(this: object): Body {
      return bodies.get(this);
    },
    set(this: { ctx: KoaContextWithOIDC }, body: Body) {
      const { headers } = this.ctx;
      const clientId = withoutSecret(headers.authorization);
      const isAlone = body?.client_id === undefined || body.client_id === clientId;
      const isAccepted = body !== undefined && clientId !== undefined && isAlone && hasNoSecret(clientId);
      if (isAccepted) delete headers.authorization;
      bodies.set(this, isAccepted ? { ...body, client_id: clientId } : body);
    },
  });
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
