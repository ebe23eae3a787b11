import { organisationRepo } from '@orchestrate/db';
import type { Provider } from 'oidc-provider';
import type { Deps } from '../../deps.ts';
import { makeProvider } from './make-provider.ts';
import { currentKids, oidcKeys } from './oidc-keys.ts';

/** An organisation's provider, and how it answers. */
export interface Serving {
  provider: Provider;
  /** With nothing read of the request yet. */
  serve: ReturnType<Provider['callback']>;
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

/** The OpenID providers of the organisations, each made with its first request, and anew when its keys have changed. */
export function createProviders(deps: Deps): Providers {
  const made = new Map<string, Made>();

  return {
    async providerOf(orgCode) {
      const organisation = organisationRepo.findOrganisation(deps.db, orgCode);
      if (!organisation) return undefined;
      const fromOf = (kids: readonly string[]) => [deps.publicUrl, organisation.primaryAttrField, ...kids].join(' ');
      const kids = currentKids(deps, orgCode);
      const known = made.get(orgCode);
      if (kids && known?.from === fromOf(kids)) return known.serving;

      const keys = await oidcKeys(deps, orgCode);
      const from = fromOf(keys.map(({ kid }) => kid));
      const meanwhile = made.get(orgCode);
      if (meanwhile?.from === from) return meanwhile.serving;
      const serving = makeProvider(deps, organisation, keys).then((provider) => ({
        provider,
        serve: provider.callback(),
      }));
      made.set(orgCode, { from, serving });
      return serving;
    },
  };
}
