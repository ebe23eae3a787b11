import { oidcQuickStarts, type QuickStart } from '@orchestrate/shared/quick-starts';
import type { OidcSettings } from '../foreign-client.ts';

/**
 * Returns the portal's quick start for an OIDC application that uses this program. @throws if there is none
 */
export function quickStartFor(id: string, { issuer, clientId }: OidcSettings, callbackUrl: string): QuickStart {
  const found = oidcQuickStarts({ issuer, clientId, callbackUrl }).find((start) => start.id === id);
  if (!found) throw new Error(`There is no quick start ${id}.`);
  return found;
}
