import { oidcQuickStarts, type QuickStart } from '@orchestrate/shared/quick-starts';
import type { OidcSettings } from '../foreign-client.ts';

/**
 * What the portal shows for an OIDC application whose people sign in by this program. @throws where it shows nothing
 */
export function quickStartFor(id: string, { issuer, clientId }: OidcSettings, callbackUrl: string): QuickStart {
  const found = oidcQuickStarts({ issuer, clientId, callbackUrl }).find((start) => start.id === id);
  if (!found) throw new Error(`There is no quick start ${id}.`);
  return found;
}
