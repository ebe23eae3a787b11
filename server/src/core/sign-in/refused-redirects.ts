import type { Lifetime } from '@orchestrate/db';
import { callbackUrl, LIMITS, type RefusedRedirect } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { isoOf } from '#platform/times.ts';

/**
 * Refused redirect URIs by application, newest first. Kept in memory and few per application, because anyone can send
 * such a request, and they only help an administrator to correct a setting.
 */
const byWorld = new WeakMap<Lifetime, Map<string, RefusedRedirect[]>>();

const keyOf = (orgCode: string, appId: string) => `${orgCode}/${appId}`;

/** Remembers the redirect URI of a refused sign-in. Ignores URIs that could never be registered. */
export function rememberRefusedRedirect(
  { world, clock }: Pick<Deps, 'world' | 'clock'>,
  { orgCode, appId, redirectUri }: { orgCode: string; appId: string; redirectUri: string },
): void {
  if (!callbackUrl.safeParse(redirectUri).success) return;
  const all = byWorld.get(world.lifetime) ?? new Map<string, RefusedRedirect[]>();
  byWorld.set(world.lifetime, all);
  const others = (all.get(keyOf(orgCode, appId)) ?? []).filter((known) => known.redirectUri !== redirectUri);
  const refused = { redirectUri, at: isoOf(clock.now()) };
  all.set(keyOf(orgCode, appId), [refused, ...others].slice(0, LIMITS.refusedRedirects));
}

export const refusedRedirectsOf = (
  { world }: Pick<Deps, 'world'>,
  orgCode: string,
  appId: string,
): readonly RefusedRedirect[] => byWorld.get(world.lifetime)?.get(keyOf(orgCode, appId)) ?? [];
