import { applicationRepo, type Tx } from '@orchestrate/db';
import { Refusal } from '../platform/refusal.ts';

/**
 * An application of the organisation. @throws Refusal ORG_APP_MISSING, also for an application of another organisation
 */
export function requireApplication(tx: Tx, orgCode: string, appId: string): applicationRepo.ApplicationRow {
  const found = applicationRepo.findApplication(tx, orgCode, appId);
  if (!found) throw new Refusal('ORG_APP_MISSING');
  return found;
}
