import { createApp } from '@orchestrate/shared';
import { useGuardedNavigate } from '#lib/address/use-next-step.ts';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { paths } from '#paths.ts';
import type { GeneralInfo } from '../editor/app-schemas.ts';
import { useOrgCode } from '../use-applications.ts';
import { type CreateDialogProps, GeneralInfoDialog } from './general-info-dialog.tsx';

/**
 * Asks for a RADIUS or LDAP application's name. The portal generates its other settings, and the editor displays
 * them.
 */
function CreateRadiusOrLdapDialog({ type, ...props }: CreateDialogProps & { type: 'radius' | 'ldap' }) {
  const orgCode = useOrgCode();
  const goToNextStep = useGuardedNavigate();
  const { run } = useWrite(createApp, { invalidates: ['Applications'] });
  const create = async ({ name, description }: GeneralInfo) => {
    try {
      const body = { orgCode, integrationType: type, name, description };
      const { app } = await run({ params: { orgCode }, body });
      goToNextStep(`${paths.application(app.appId)}/configuration`, { replace: true });
      return 'done';
    } catch (failure) {
      if (failure instanceof ApiRefusal && failure.resultName === 'ORG_APP_ALREADY_EXISTS') return 'taken';
      throw failure;
    }
  };
  return <GeneralInfoDialog {...props} kind={type.toUpperCase()} onInfo={create} />;
}

export const CreateRadiusDialog = (props: CreateDialogProps) => <CreateRadiusOrLdapDialog {...props} type="radius" />;
export const CreateLdapDialog = (props: CreateDialogProps) => <CreateRadiusOrLdapDialog {...props} type="ldap" />;
