import {
  type Db,
  findPredictableKeys,
  oidcKeyRepo,
  organisationRepo,
  type PredictableKeys,
  samlKeyRepo,
  worldRepo,
} from '@orchestrate/db';
import { type Config, ConfigInvalid } from '#config.ts';
import { drawnIdpKeyId } from '#core/saml-metadata/idp-keys.ts';
import { isLocalPortal } from '#platform/http/callers/local-portal.ts';
import { ownCommand } from '#platform/version.ts';

/** Keys and secrets of a database that anyone can compute from public names (decision 205). */
export interface Predictable extends PredictableKeys {
  /** Keys that sign ID tokens and SAML assertions, by organisation. */
  oidcKeys: { orgCode: string; kids: string[] }[];
  samlKeys: { orgCode: string; kid: string }[];
}

/**
 * Finds predictable keys and secrets; undefined if there are none. All OpenID keys of a world count, because each is
 * derived from its predecessor, which may be gone.
 */
export function findPredictable(db: Db): Predictable | undefined {
  const world = worldRepo.findWorld(db);
  if (world?.keysFrom === 'installation') return undefined;
  const orgCodes = world ? organisationRepo.listOrgCodes(db) : [];
  const found: Predictable = {
    ...findPredictableKeys(db),
    oidcKeys: orgCodes
      .map((orgCode) => ({ orgCode, kids: oidcKeyRepo.listOidcKeys(db, orgCode).map(({ kid }) => kid) }))
      .filter(({ kids }) => kids.length > 0),
    samlKeys: orgCodes.flatMap((orgCode) => {
      const drawn = drawnIdpKeyId(world?.randomSeed ?? '', orgCode);
      const has = samlKeyRepo.listSamlKeys(db, orgCode).some(({ kid }) => kid === drawn);
      return has ? [{ orgCode, kid: drawn }] : [];
    }),
  };
  return Object.values(found).some((list: unknown[]) => list.length > 0) ? found : undefined;
}

/**
 * Refuses to start a reachable portal with predictable keys. Marks a database without such keys, so that the next start
 * can skip the check.
 * @throws ConfigInvalid with the command that replaces the keys
 */
export function requireUnpredictableKeys(config: Config, db: Db): void {
  if (isLocalPortal(config)) return;
  if (findPredictable(db) === undefined) {
    if (worldRepo.findWorld(db)?.keysFrom !== 'installation') worldRepo.setKeysFrom(db, 'installation');
    return;
  }
  throw new ConfigInvalid(
    `Others can reach this portal (HOST, PUBLIC_URL, BACKCHANNEL_URL, TRUSTED_PROXIES), but the keys in ${config.databaseFile} follow from public names, so anyone can compute them: run \`${ownCommand('replace-keys')}\` with the same settings, then start again.`,
  );
}
