import type { IncomingMessage } from 'node:http';
import type { Adapter, Provider } from 'oidc-provider';
import { countFailure, secondsUntilRoom, type Trier } from '#core/sign-in/budgets.ts';
import type { Deps } from '#deps.ts';

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

/** The store of clients, which notes the client that a request claims to be from. */
export function trackClients(library: typeof import('oidc-provider'), store: Adapter): Adapter {
  return {
    ...store,
    find(id) {
      const { ctx } = library.Provider;
      const proof = ctx && proofs.get(ctx.req);
      // Another client that is looked for afterwards is that of a token.
      if (proof) proof.clientId ??= id;
      return store.find(id);
    },
  };
}

/** The length of the secrets that the portal generates. */
const GENERATED_LENGTH = 43;

/**
 * Whether a secret is not even compared: too many wrong ones came from the network of the request, and this one is so
 * short that a person may have chosen it, in a world file.
 */
export function mustWait(deps: Deps, orgCode: string, request: IncomingMessage | undefined, secret: string): boolean {
  const { network, clientId } = (request && proofs.get(request)) ?? {};
  if (secret.length >= GENERATED_LENGTH || network === undefined || clientId === undefined) return false;
  return secondsUntilRoom(deps, deps.db, trierOf(orgCode, network, clientId)) > 0;
}

/**
 * Counts requests in which the client was wrong, and answers them with 429 if too many came from their network. A right
 * client with a generated secret is never refused for them: no one can guess the secret, and anyone can send wrong ones
 * in the client's name (decision 143). Call it before the provider's first request.
 */
export function countWrongClients(deps: Deps, orgCode: string, provider: Provider): void {
  provider.use(async (ctx, next) => {
    await next();
    const { network, clientId } = proofs.get(ctx.req) ?? {};
    if (ctx.status !== 401 || network === undefined || clientId === undefined) return;
    const trier = trierOf(orgCode, network, clientId);
    const seconds = secondsUntilRoom(deps, deps.db, trier);
    if (seconds === 0) return countFailure(deps, deps.db, trier);
    ctx.status = 429;
    ctx.remove('www-authenticate');
    ctx.set('retry-after', String(seconds));
    ctx.body = { error: 'temporarily_unavailable', error_description: TOO_MANY };
  });
}

/** The network and the application: one that is misconfigured does not hold up the others. */
const trierOf = (orgCode: string, network: string, clientId: string): Trier => ({
  kind: 'client-secret',
  orgCode,
  subject: `${network} ${clientId.slice(0, CLIENT_ID_MAX_LENGTH)}`,
});

const CLIENT_ID_MAX_LENGTH = 100;

const TOO_MANY = 'too many wrong client secrets have come from this network';
