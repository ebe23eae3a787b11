import { exportWorld, organisationRepo } from '@orchestrate/db';
import { contract, type World, world } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { idpKeys } from '#core/saml-metadata/idp-keys.ts';
import type { Deps } from '#deps.ts';
import { Document } from '#platform/http/answers/answer.ts';
import { implement } from '#platform/http/implement.ts';
import { oidcKeys } from '#protocols/oidc/provider/oidc-keys.ts';
import { runUnlessReset } from './run-unless-reset.ts';

/** Reads the portal as a world. */
export function worlds(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, contract.readWorld, async () => ({ world: await currentWorld(deps) }));
  implement(app, deps, contract.readWorldFile, async () => {
    const { stringify } = await import('yaml');
    // Without the fields that have no value.
    const written: unknown = JSON.parse(JSON.stringify(await currentWorld(deps)));
    return new Document(stringify(written, { lineWidth: 0, aliasDuplicateObjects: false }), 'world.yaml');
  });
  implement(app, deps, contract.readWorldSchema, () => new Document(JSON.stringify(worldSchema(), null, 2)));
}

/**
 * What this portal is now. A frozen clock is part of it, and so are keys that are otherwise made on first use: whether
 * somebody has asked for them is no difference between two worlds.
 */
function currentWorld(deps: Deps): Promise<World> {
  const { db, clock } = deps;
  return runUnlessReset(deps, async () => {
    const orgCodes = organisationRepo.listOrgCodes(db);
    await Promise.all(orgCodes.flatMap((orgCode) => [oidcKeys(deps, orgCode), idpKeys(deps, orgCode)]));
    const { randomSeed, organisations } = db.transaction(exportWorld);
    return { randomSeed, ...(clock.mode() === 'frozen' && { now: clock.iso() }), organisations };
  });
}

/** The JSON Schema of a world file. */
export const worldSchema = () => ({
  title: 'The initial state of a portal',
  ...z.toJSONSchema(world, { io: 'input', unrepresentable: 'any' }),
});
