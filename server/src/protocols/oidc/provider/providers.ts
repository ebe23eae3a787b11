import { oidcApplicationRepo, oidcKeyRepo, organisationRepo, runDetached } from '@orchestrate/db';
import type { Deps } from '#deps.ts';
import { createProvider } from './create-provider.ts';
import { agedAlgorithms, oidcKeys } from './oidc-keys.ts';
import type { OidcProviders, OidcServing } from './serving.ts';

interface Created {
  /** What the provider was created from and doesn't read again. */
  from: string;
  serving: Promise<OidcServing>;
}

/**
 * Returns the OpenID providers of the organisations, each created on its first request and again when what it was created
 * from has changed.
 */
export function createProviders(deps: Deps): OidcProviders {
  const created = new Map<string, Created>();

  return {
    async providerOf(orgCode) {
      const issuer = oidcKeyRepo.findOidcIssuer(deps.db, orgCode);
      if (!issuer) return undefined;
      const isCurrent = agedAlgorithms(issuer.keys, deps.clock.now()).length === 0;
      const keys = isCurrent ? issuer.keys : await oidcKeys(deps, orgCode);
      const scopes = oidcApplicationRepo.listClaimScopes(deps.db, orgCode);
      const fixed = [deps.publicUrl, issuer.primaryAttrField, deps.clock.tellsMachineTime()];
      const from = [...fixed, ...scopes, ...keys.map(({ kid }) => kid)].join(' ');
      const present = created.get(orgCode);
      if (present?.from === from) return present.serving;
      // Detached: requests of the next world may wait for it too.
      const serving = runDetached(() => createServing(deps, orgCode));
      created.set(orgCode, { from, serving });
      // The next request tries again.
      serving.catch(() => created.delete(orgCode));
      return serving;
    },
  };
}

async function createServing(deps: Deps, orgCode: string): Promise<OidcServing> {
  const organisation = organisationRepo.requireOrganisation(deps.db, orgCode);
  return createProvider(deps, organisation, await oidcKeys(deps, orgCode));
}
