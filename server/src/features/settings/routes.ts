import { organisationRepo } from '@orchestrate/db';
import { getOrgSettings } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { implement } from '../../http/implement.ts';
import { Refusal } from '../../http/refusal.ts';
import { orgSettingsOf } from './org-settings-of.ts';

/** An organisation's settings. */
export function settings(app: FastifyInstance, deps: Deps): void {
  implement(app, deps, getOrgSettings, ({ query }) => {
    const organisation = organisationRepo.findOrganisation(deps.db, query.code);
    if (!organisation) throw new Refusal('ORG_CODE_NOT_FOUND');
    return orgSettingsOf(organisation);
  });

  // The page hides a logo that fails to load (spec 1 §2): there is none before one can be uploaded.
  app.get('/logos/:orgCode', () => {
    throw new Refusal('ID_DOESNOT_EXIST', { message: 'This organisation has no logo.' });
  });
}
