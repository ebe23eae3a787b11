import { applicationRepo, type Tx } from '@orchestrate/db';
import type { Deps } from '../../deps.ts';
import { Refusal } from '../../platform/refusal.ts';
import { appIdFor } from './app-id.ts';
import { loginDefaults } from './login-defaults.ts';

/**
 * Writes a new application under an id of its own; login options that are not given default to the organisation's.
 * @param proposedId what the id is made from instead of the name
 * @returns the id. @throws Refusal ORG_APP_ALREADY_EXISTS
 */
export function insertNamed(
  { clock }: Deps,
  tx: Tx,
  app: Omit<applicationRepo.NewApplication, 'appId' | 'createdAt'>,
  proposedId: string = app.name,
): string {
  const { orgCode } = app;
  const appId = appIdFor(proposedId, applicationRepo.listAppIds(tx, orgCode));
  const row = { ...loginDefaults(tx, orgCode), ...app, appId, createdAt: clock.now() };
  if (!applicationRepo.insertApplication(tx, row)) throw new Refusal('ORG_APP_ALREADY_EXISTS');
  return appId;
}
