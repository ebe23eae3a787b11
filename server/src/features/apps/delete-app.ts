import { applicationRepo } from '@orchestrate/db';
import type { Deps } from '../../deps.ts';
import { Refusal } from '../../http/refusal.ts';
import { requireApplication } from './application-detail.ts';

/**
 * Deletes an application with its secrets. An organisation keeps one portal application: without it nobody could sign in
 * to put it back. @throws Refusal 38, 51
 */
export function deleteApp({ db }: Deps, orgCode: string, appId: string): void {
  db.transaction(
    (tx) => {
      const { integrationType } = requireApplication(tx, orgCode, appId);
      if (integrationType === 'portal' && applicationRepo.countPortalApplications(tx, orgCode) < 2) {
        throw new Refusal('FORBIDDEN', {
          message: 'The only portal application of an organisation cannot be deleted.',
        });
      }
      applicationRepo.deleteApplication(tx, orgCode, appId);
    },
    { behavior: 'immediate' },
  );
}
