import type { IncomingMessage } from 'node:http';
import type { Adapter } from 'oidc-provider';
import { countFailure, secondsUntilRoom, type Trier } from '../../core/sign-in/budgets.ts';
import type { Deps } from '../../deps.ts';

/** A request in which a client proves who it is. */
interface Proof {
  /** See `networkOf`. */
  network: string;
  /** As whom, once the library has read it: from the header, the body or an assertion. */
  clientId?: string;
}

const proofs = new WeakMap<IncomingMessage, Proof>();

/** Makes a request count, from `network`, where the client in it is wrong. Call it before the library answers. */
export function limitTries(request: IncomingMessage, network: string): void {
  proofs.set(request, { network });
}

/** Counts a request in which the client was wrong. */
export function countWrongClient(deps: Deps, orgCode: string, request: IncomingMessage): void {
  const { network, clientId } = proofs.get(request) ?? {};
  if (network !== undefined && clientId !== undefined) countFailure(deps, deps.db, trierOf(orgCode, network, clientId));
}

/** The network and the application: one that is misconfigured does not hold up the others. */
const trierOf = (orgCode: string, network: string, clientId: string): Trier => ({
  kind: 'client-secret',
  orgCode,
  subject: `${network} ${clientId.slice(0, CLIENT_ID_MAX_LENGTH)}`,
});

const CLIENT_ID_MAX_LENGTH = 100;

/**
 * The store of clients, where the library looks before it compares anything: it finds none that has been wrong too often
 * from the network of the request (decision 143).
 */
export function withLimitedTries(
  deps: Deps,
  orgCode: string,
  library: typeof import('oidc-provider'),
  store: Adapter,
): Adapter {
  return {
    ...store,
    async find(id) {
      const { ctx } = library.Provider;
      const proof = ctx && proofs.get(ctx.req);
      // Another client that is looked for afterwards is that of a token.
      if (proof && proof.clientId === undefined) {
        proof.clientId = id;
        const seconds = secondsUntilRoom(deps, deps.db, trierOf(orgCode, proof.network, id));
        if (seconds > 0) {
          ctx.set('retry-after', String(seconds));
          throw Object.assign(new library.errors.CustomOIDCProviderError('temporarily_unavailable', TOO_MANY), {
            statusCode: 429,
          });
        }
      }
      return store.find(id);
    },
  };
}

const TOO_MANY = 'too many wrong client secrets have come from this network';
