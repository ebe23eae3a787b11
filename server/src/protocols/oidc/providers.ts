import { organisationRepo } from '@orchestrate/db';
import type { Provider } from 'oidc-provider';
import type { Deps } from '../../deps.ts';
import { makeProvider } from './make-provider.ts';
import { oidcKeys } from './oidc-keys.ts';

export interface Providers {
  /** The provider of an organisation; undefined where there is no such organisation. */
  providerOf(orgCode: string): Promise<Provider | undefined>;
}

interface Made {
  /** What the provider was made from and does not read again by itself. */
  from: string;
  provider: Promise<Provider>;
}

/** The OpenID providers of the organisations, each made with its first request, and anew when its keys have changed. */
export function createProviders(deps: Deps): Providers {
  const made = new Map<string, Made>();

  return {
    async providerOf(orgCode) {
      const organisation = organisationRepo.findOrganisation(deps.db, orgCode);
      if (!organisation) return undefined;
      const keys = await oidcKeys(deps, orgCode);
      const from = [deps.publicUrl, organisation.primaryAttrField, ...keys.map(({ kid }) => kid)].join(' ');
      const known = made.get(orgCode);
      if (known?.from === from) return known.provider;
      const provider = makeProvider(deps, organisation, keys);
      made.set(orgCode, { from, provider });
      return provider;
    },
  };
}
