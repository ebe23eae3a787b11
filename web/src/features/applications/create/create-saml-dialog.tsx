import { validateAppName } from '@orchestrate/shared';
import { useGuardedNavigate } from '#lib/address/use-next-step.ts';
import { call } from '#lib/api/call.ts';
import { paths } from '#paths.ts';
import type { GeneralInfo } from '../editor/app-schemas.ts';
import { useOrgCode } from '../use-applications.ts';
import { type CreateDialogProps, GeneralInfoDialog } from './general-info-dialog.tsx';
import { storeSamlDraft } from './saml-draft.ts';

/** Asks for a SAML application's name, and continues in the editor if the name is available (spec 2 §2). */
export default function CreateSamlDialog(props: CreateDialogProps) {
  const orgCode = useOrgCode();
  const goToNextStep = useGuardedNavigate();
  const createWith = async ({ name, description }: GeneralInfo) => {
    const { result } = await call(validateAppName, { params: { orgCode }, body: { appName: name, orgId: orgCode } });
    if (!result.available) return 'taken';
    storeSamlDraft({ name, description, appId: result.proposedAppId });
    goToNextStep(`${paths.samlCreate}/configuration`, { replace: true });
    return 'done';
  };
  return <GeneralInfoDialog {...props} kind="SAML" onInfo={createWith} />;
}
