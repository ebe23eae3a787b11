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

/** Registers the routes for exporting the portal as a world. */
export function worlds(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, contract.readWorld, async () => ({ world: await currentWorld(deps) }));
  implement(app, deps, contract.readWorldFile, async () => {
    const { stringify } = await import('yaml');
    // Drops undefined fields.
    const written: unknown = JSON.parse(JSON.stringify(await currentWorld(deps)));
    return new Document(stringify(written, { lineWidth: 0, aliasDuplicateObjects: false }), 'world.yaml');
  });
  implement(
    app,
    deps,
    contract.readWorldSchema,
    async () => new Document(JSON.stringify(await worldSchema(), null, 2)),
  );
}

/**
 * Exports the portal's current state, including a frozen clock. Keys normally generated on first use are generated
 * and included, because two worlds must not differ only in whether those keys have been requested.
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

/** Returns the JSON Schema of a world file, with a description of each field. */
async function worldSchema() {
  const { attachComments, describeDefault, withDescriptions } = await import('#platform/contract-comments.ts');
  const schema = z.toJSONSchema(world, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      attachComments(zodSchema, jsonSchema);
      // Most editors display only the description.
      if (jsonSchema.default !== undefined) jsonSchema.description = describeDefault(jsonSchema.default);
    },
  });
  return { title: 'Initial state of a portal', ...withDescriptions(schema) };
}
