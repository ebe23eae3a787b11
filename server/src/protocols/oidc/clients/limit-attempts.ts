import type { IncomingMessage } from 'node:http';
import type { Adapter, KoaContextWithOIDC, Provider } from 'oidc-provider';
import { countFailure, retryAfterSeconds, type ThrottleSubject } from '#core/sign-in/throttles.ts';
import type { Deps } from '#deps.ts';

/** A request in which a client authenticates. */
interface Attempt {
  /** See `networkOf`. */
  network: string;
  /** The client that the request claims to be from, once the library has read it. */
  clientId?: string;
}

/** Limits failed client authentication for each network and application. */
export interface ClientAttempts {
  /** Counts the request, from `network`, if its client fails to authenticate. Call it before the library reads it. */
  limit(request: IncomingMessage, network: string): void;
  /** Returns a client store that notes which client a request claims to be from. */
  noteClients(store: Adapter): Adapter;
  /**
   * Returns true if a secret must not even be compared: too many wrong ones came from the network of the request, and
   * this one is so short that a person may have chosen it, in a world file.
   */
  mustWait(secret: string): boolean;
  /**
   * Counts requests whose client failed to authenticate, and answers 429 if too many came from their network. A client
   * with a generated secret is never rejected for them: nobody can guess the secret, and anyone can send wrong ones in
   * the client's name (decision 143).
   */
  countFailures(provider: Provider): void;
}

/** Length of the secrets that the portal generates. */
const GENERATED_LENGTH = 43;

export function createClientAttempts(
  deps: Deps,
  orgCode: string,
  currentContext: () => KoaContextWithOIDC | undefined,
): ClientAttempts {
  const attempts = new WeakMap<IncomingMessage, Attempt>();

  return {
    limit: (request, network) => void attempts.set(request, { network }),

    noteClients: (store) => ({
      ...store,
      find(id) {
        const ctx = currentContext();
        const attempt = ctx && attempts.get(ctx.req);
        // Clients that are read later belong to a token.
        if (attempt) attempt.clientId ??= id;
        return store.find(id);
      },
    }),

    mustWait(secret) {
      const ctx = currentContext();
      const { network, clientId } = (ctx && attempts.get(ctx.req)) ?? {};
      if (secret.length >= GENERATED_LENGTH || network === undefined || clientId === undefined) return false;
      return retryAfterSeconds(deps, deps.db, subjectOf(orgCode, network, clientId)) > 0;
    },

    countFailures(provider) {
      provider.use(async (ctx, next) => {
        await next();
        const { network, clientId } = attempts.get(ctx.req) ?? {};
        if (ctx.status !== 401 || network === undefined || clientId === undefined) return;
        const subject = subjectOf(orgCode, network, clientId);
        const seconds = retryAfterSeconds(deps, deps.db, subject);
        if (seconds === 0) return countFailure(deps, deps.db, subject);
        ctx.status = 429;
        ctx.remove('www-authenticate');
        ctx.set('retry-after', String(seconds));
        ctx.body = { error: 'temporarily_unavailable', error_description: TOO_MANY };
      });
    },
  };
}

/** The network and the application, so that a misconfigured application doesn't block the others. */
const subjectOf = (orgCode: string, network: string, clientId: string): ThrottleSubject => ({
  kind: 'client-secret',
  orgCode,
  subject: `${network} ${clientId.slice(0, CLIENT_ID_MAX_LENGTH)}`,
});

const CLIENT_ID_MAX_LENGTH = 100;

const TOO_MANY = 'too many wrong client secrets have come from this network';
