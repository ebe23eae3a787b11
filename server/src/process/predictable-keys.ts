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
import { seededIdpKeyId } from '#core/saml-metadata/idp-keys.ts';
import { isLocalPortal } from '#platform/http/callers/local-portal.ts';
import { ownCommand } from '#platform/version.ts';

/** A database's keys and secrets that anyone can compute from public names (decision 205). */
export interface PredictableCredentials extends PredictableKeys {
  /** Keys that sign ID tokens and SAML assertions, grouped by organisation. */
  oidcKeys: { orgCode: string; kids: string[] }[];
  samlKeys: { orgCode: string; kid: string }[];
}

/**
 * Finds predictable keys and secrets. Returns undefined if there are none. Reports all of a world's OpenID keys,
 * because each key is derived from its predecessor, which may have been deleted.
 */
export function findPredictableCredentials(db: Db): PredictableCredentials | undefined {
  const world = worldRepo.findWorld(db);
  if (world?.keysFrom === 'installation') return undefined;
  const orgCodes = world ? organisationRepo.listOrgCodes(db) : [];
  const found: PredictableCredentials = {
    ...findPredictableKeys(db),
    oidcKeys: orgCodes
      .map((orgCode) => ({ orgCode, kids: oidcKeyRepo.listOidcKeys(db, orgCode).map(({ kid }) => kid) }))
      .filter(({ kids }) => kids.length > 0),
    samlKeys: orgCodes.flatMap((orgCode) => {
      const drawn = seededIdpKeyId(world?.randomSeed ?? '', orgCode);
      const has = samlKeyRepo.listSamlKeys(db, orgCode).some(({ kid }) => kid === drawn);
      return has ? [{ orgCode, kid: drawn }] : [];
    }),
  };
  return Object.values(found).some((list: unknown[]) => list.length > 0) ? found : undefined;
}

/**
 * Refuses to start a portal that other machines can reach if it has predictable keys. Marks a database without
 * predictable keys as checked, so the next start skips the check.
 * @throws ConfigInvalid with the command that replaces the keys
 */
export function requireUnpredictableKeys(config: Config, db: Db): void {
  if (isLocalPortal(config)) return;
  if (findPredictableCredentials(db) === undefined) {
    if (worldRepo.findWorld(db)?.keysFrom !== 'installation') worldRepo.setKeyOrigin(db, 'installation');
    return;
  }
  throw new ConfigInvalid(
    `This portal is reachable from other machines (HOST, PUBLIC_URL, BACKCHANNEL_URL, TRUSTED_PROXIES), but anyone can compute the keys in ${config.databaseFile} because they are derived from public names. Run \`${ownCommand('replace-keys')}\` with the same settings, then start again.`,
  );
}
