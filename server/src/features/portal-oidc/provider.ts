import { type organisationRepo, portalOidcRepo } from '@orchestrate/db';
import { MINUTE, SECOND } from '@orchestrate/shared';
import { createProviderFetch, discoverProvider, type Provider } from '#core/sign-in/external-provider.ts';
import type { Deps } from '#deps.ts';
import { machineNow } from '#platform/adapters/clock.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { ExternalSignInFailed } from './failure.ts';

/** Lifetime of a cached discovery document, in milliseconds. */
const CACHED_MS = 5 * MINUTE;
/**
 * Step to which the clock difference is rounded, in seconds. Must be below 30 s, the difference that the library
 * tolerates.
 */
const CLOCK_STEP = 15;

export interface Providers {
  /**
   * Returns an organisation's provider.
   * @throws ExternalSignInFailed if the provider isn't set up, is disabled, or can't be reached
   */
  of(organisation: organisationRepo.OrganisationRow): Promise<Provider>;
}

interface CachedProvider {
  provider: Promise<Provider>;
  until: number;
  /** Identifies the settings from which the provider was created. */
  key: string;
}

/** Caches each provider, fetching its discovery document at most once every few minutes however many people sign in. */
export function createProviders(deps: Deps): Providers {
  const { db, clock, log } = deps;
  const cache = new Map<string, CachedProvider>();
  const fetch = createProviderFetch(deps);

  /** Returns how far the time in tokens is ahead of the machine's clock, in seconds. */
  const clockSkew = () => Math.round((clock.toExternalTime() - machineNow()) / SECOND / CLOCK_STEP) * CLOCK_STEP;

  // A reset replaces the demo's providers and their keys.
  deps.bus.listen([TOPIC.reset], () => cache.clear());

  return {
    async of({ orgCode, portalOidcEnabled }) {
      const settings = portalOidcRepo.findPortalOidc(db, orgCode);
      if (!portalOidcEnabled || !settings) throw new ExternalSignInFailed('not-configured', orgCode);
      const skew = clockSkew();
      const key = JSON.stringify({ ...settings, skew });
      const found = cache.get(orgCode);
      const isFresh = found?.key === key && found.until > clock.now();
      const used = isFresh
        ? found
        : { provider: discoverProvider(deps, fetch, settings, skew), until: clock.now() + CACHED_MS, key };
      cache.set(orgCode, used);
      try {
        // Concurrent calls share one attempt and its result. A failed attempt is never reused.
        return await used.provider;
      } catch (reason) {
        if (cache.get(orgCode) === used) cache.delete(orgCode);
        log.warn({ orgCode, reason: String(reason) }, 'the external provider cannot be used');
        throw new ExternalSignInFailed('provider-down', orgCode);
      }
    },
  };
}
