import { oidcApplicationRepo, oidcKeyRepo, organisationRepo } from '@orchestrate/db';
import type { Provider } from 'oidc-provider';
import type { Deps } from '#deps.ts';
import { makeProvider } from './create-provider.ts';
import { agedAlgorithms, oidcKeys } from './oidc-keys.ts';

/** An organisation's provider, and how it answers. */
export interface Serving {
  provider: Provider;
  /** Must be called before anything of the request has been read. */
  serve: ReturnType<Provider['callback']>;
  /** Its address, of which the host and protocol count. */
  issuer: URL;
}

export interface Providers {
  /** The provider of an organisation; undefined where there is no such organisation. */
  providerOf(orgCode: string): Promise<Serving | undefined>;
}

interface Made {
  /** What the provider was made from and does not read again by itself. */
  from: string;
  serving: Promise<Serving>;
}

/**
 * The OpenID providers of the organisations, each made on its first request, and again when what it was made from has
 * changed.
 */
export function createProviders(deps: Deps): Providers {
  const providers = known.get(deps) ?? providersOf(deps);
  known.set(deps, providers);
  return providers;
}

/** Those of each portal: a sign-in and a logout are answered by the same ones. */
const known = new WeakMap<Deps, Providers>();

function providersOf(deps: Deps): Providers {
  const made = new Map<string, Made>();

  return {
    async providerOf(orgCode) {
      const issuer = oidcKeyRepo.findOidcIssuer(deps.db, orgCode);
      if (!issuer) return undefined;
      const isCurrent = agedAlgorithms(issuer.keys, deps.clock.now()).length === 0;
      const keys = isCurrent ? issuer.keys : await oidcKeys(deps, orgCode);
      const scopes = oidcApplicationRepo.listClaimScopes(deps.db, orgCode);
      const fixed = [deps.publicUrl, issuer.primaryAttrField, deps.clock.tellsMachineTime()];
      const from = [...fixed, ...scopes, ...keys.map(({ kid }) => kid)].join(' ');
      const present = made.get(orgCode);
      if (present?.from === from) return present.serving;
      const serving = makeServing(deps, orgCode);
      made.set(orgCode, { from, serving });
      // A provider that could not be made is tried again on the next request.
      serving.catch(() => made.delete(orgCode));
      return serving;
    },
  };
}

async function makeServing(deps: Deps, orgCode: string): Promise<Serving> {
  const organisation = organisationRepo.requireOrganisation(deps.db, orgCode);
  const provider = await makeProvider(deps, organisation, await oidcKeys(deps, orgCode));
  return { provider, serve: provider.callback(), issuer: new URL(provider.issuer) };
}
