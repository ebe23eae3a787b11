import { t } from '@lingui/core/macro';
import { createApp, hasSignIn } from '@orchestrate/shared';
import { useNextStep } from '../../../lib/address/use-next-step.ts';
import { ApiRefusal } from '../../../lib/api/api-refusal.ts';
import { useWrite } from '../../../lib/api/use-write.ts';
import { reasonOf } from '../../../lib/notices/reason-of.ts';
import { toast } from '../../../lib/notices/toaster.ts';
import { paths } from '../../../paths.ts';
import { type CreateOidcForm, urlsOf } from '../editor/app-schemas.ts';
import { useOrgCode } from '../use-applications.ts';

const FAILED = t`Something went wrong while creating the app`;

/**
 * Creates an OIDC application and opens it; calls `onNameTaken` where another one has the name
 * (ORG_APP_ALREADY_EXISTS).
 */
export function useCreateOidc(onNameTaken: () => void) {
  const orgCode = useOrgCode();
  const goOn = useNextStep();
  const { run } = useWrite(createApp, { invalidates: ['Applications'] });
  return async ({ name, description, kind, callbackUrls, logoutUrls }: CreateOidcForm) => {
    const addresses = {
      redirect_uris: urlsOf(callbackUrls),
      post_logout_redirect_uris: urlsOf(logoutUrls),
    };
    const clients = { kind, ...(hasSignIn(kind) && addresses) };
    const body = { orgCode, integrationType: 'oidc', name, description, oidcConfiguration: { clients } } as const;
    try {
      const { app } = await run({ params: { orgCode }, body });
      if (app.appId) goOn(`${paths.application(app.appId)}/configuration`, { replace: true });
      else toast.error(FAILED);
    } catch (failure) {
      if (failure instanceof ApiRefusal && failure.resultName === 'ORG_APP_ALREADY_EXISTS') onNameTaken();
      else if (!(failure instanceof ApiRefusal && failure.status === 401)) toast.error(FAILED, reasonOf(failure));
    }
  };
}
