import type { IncomingMessage } from 'node:http';
import type { Adapter, KoaContextWithOIDC, Provider } from 'oidc-provider';
import { countFailure, retryAfterSeconds, type ThrottleSubject } from '#core/sign-in/throttles.ts';
import type { Deps } from '#deps.ts';

/** A request that must authenticate its client. */
interface Attempt {
  /** The request's network, from `networkOf`. */
  network: string;
  /** The client ID that the request claims, once the library has read it. */
  clientId?: string;
}

/** Limits failed client authentication per network and application. */
export interface ClientAttempts {
  /**
   * Tracks a request from `network`, which counts as a failure if its client fails to authenticate. Call it before
   * the library reads the request.
   */
  limit(request: IncomingMessage, network: string): void;
  /** Returns a client store that records which client each request claims to be. */
  noteClients(store: Adapter): Adapter;
  /**
   * Returns true if a secret must not even be compared: the request's network has sent too many wrong secrets, and
   * this secret is short enough that a person may have chosen it, in a world file.
   */
  mustWait(secret: string): boolean;
  /**
   * Counts requests whose client failed to authenticate, and answers 429 if too many came from their network. A
   * client with a generated secret is never blocked: no one can guess the secret, but anyone can send wrong secrets
   * under the client's ID (decision 143).
   */
  countFailures(provider: Provider): void;
}

/** Length of secrets that the portal generates. */
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
        // Only the first lookup is the request's client; later lookups are for the client of a token.
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

/** Counts per network and application, so a misconfigured application doesn't block the others. */
const subjectOf = (orgCode: string, network: string, clientId: string): ThrottleSubject => ({
  kind: 'client-secret',
  orgCode,
  subject: `${network} ${clientId.slice(0, CLIENT_ID_MAX_LENGTH)}`,
});

const CLIENT_ID_MAX_LENGTH = 100;

const TOO_MANY = 'too many wrong client secrets have come from this network';
