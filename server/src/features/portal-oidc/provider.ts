import { type organisationRepo, portalOidcRepo } from '@orchestrate/db';
import { MINUTE, SECOND } from '@orchestrate/shared';
import { createProviderFetch, discoverProvider, type Provider } from '#core/sign-in/external-provider.ts';
import type { Deps } from '#deps.ts';
import { machineNow } from '#platform/adapters/clock.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { ExternalSignInFailed } from './failure.ts';

/** How long a provider's discovery document is trusted. */
const KEPT_MS = 5 * MINUTE;
/** Smaller differences between clocks are within what the library allows: 30 s. */
const CLOCK_STEP = 15;

export interface Providers {
  /** @throws ExternalSignInFailed where it is not set up, switched off, or cannot be reached */
  of(organisation: organisationRepo.OrganisationRow): Promise<Provider>;
}

interface Kept {
  provider: Promise<Provider>;
  until: number;
  /** Identifies the settings that it was made from. */
  key: string;
}

/** Fetches each provider's discovery document once every few minutes, however many people sign in. */
export function createProviders(deps: Deps): Providers {
  const { db, clock, log } = deps;
  const kept = new Map<string, Kept>();
  const fetch = createProviderFetch(deps);

  /** How far the time that the provider is expected to have is ahead of the machine's, in seconds. */
  const clockSkew = () => Math.round((clock.toExternalTime() - machineNow()) / SECOND / CLOCK_STEP) * CLOCK_STEP;

  // A reset changes who the providers of the demo are, and their keys.
  deps.bus.listen([TOPIC.reset], () => kept.clear());

  return {
    async of({ orgCode, portalOidcEnabled }) {
      const settings = portalOidcRepo.findPortalOidc(db, orgCode);
      if (!portalOidcEnabled || !settings) throw new ExternalSignInFailed('not-configured', orgCode);
      const skew = clockSkew();
      const key = JSON.stringify({ ...settings, skew });
      const found = kept.get(orgCode);
      const isFresh = found?.key === key && found.until > clock.now();
      const used = isFresh
        ? found
        : { provider: discoverProvider(deps, fetch, settings, skew), until: clock.now() + KEPT_MS, key };
      kept.set(orgCode, used);
      try {
        // Callers that share one attempt share its result: each is told, and a failed attempt is never handed out.
        return await used.provider;
      } catch (reason) {
        if (kept.get(orgCode) === used) kept.delete(orgCode);
        log.warn({ orgCode, reason: String(reason) }, 'the external provider cannot be used');
        throw new ExternalSignInFailed('provider-down', orgCode);
      }
    },
  };
}
