import { oidcApplicationRepo, oidcKeyRepo, organisationRepo, runDetached } from '@orchestrate/db';
import type { Deps } from '#deps.ts';
import { createProvider } from './create-provider.ts';
import { algorithmsToRenew, oidcKeys } from './oidc-keys.ts';
import type { OidcProviders, OidcServing } from './serving.ts';

interface Created {
  /** Inputs that the provider read only when it was created. If they have changed, a new provider is needed. */
  from: string;
  serving: Promise<OidcServing>;
}

/**
 * Returns the organisations' OpenID providers. Each provider is created on its first request, and again when its
 * inputs have changed.
 */
export function createProviders(deps: Deps): OidcProviders {
  const created = new Map<string, Created>();

  return {
    async providerOf(orgCode) {
      const issuer = oidcKeyRepo.findOidcIssuer(deps.db, orgCode);
      if (!issuer) return undefined;
      const isCurrent = algorithmsToRenew(issuer.keys, deps.clock.now()).length === 0;
      const keys = isCurrent ? issuer.keys : await oidcKeys(deps, orgCode);
      const scopes = oidcApplicationRepo.listClaimScopes(deps.db, orgCode);
      const fixed = [deps.publicUrl, issuer.primaryAttrField, deps.clock.tellsMachineTime()];
      const from = [...fixed, ...scopes, ...keys.map(({ kid }) => kid)].join(' ');
      const present = created.get(orgCode);
      if (present?.from === from) return present.serving;
      // Run detached, because requests after a lab reset may wait for the provider too.
      const serving = runDetached(() => createServing(deps, orgCode));
      created.set(orgCode, { from, serving });
      // Let the next request try again.
      serving.catch(() => created.delete(orgCode));
      return serving;
    },
  };
}

async function createServing(deps: Deps, orgCode: string): Promise<OidcServing> {
  const organisation = organisationRepo.requireOrganisation(deps.db, orgCode);
  return createProvider(deps, organisation, await oidcKeys(deps, orgCode));
}
