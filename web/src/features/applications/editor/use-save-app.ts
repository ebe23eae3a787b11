import { type ApplicationDetail, createSamlApp, updateApp, updateSamlApp } from '@orchestrate/shared';
import { useWrite } from '#lib/api/use-write.ts';
import { useOrgCode } from '../use-applications.ts';
import { type ChangedFields, samlCreateBody, samlUpdateBody, updateBody } from './app-bodies.ts';
import type { AppForm } from './app-form.ts';

/** ID and new version of the saved application. */
export interface SavedApp {
  appId: string;
  version: string | undefined;
}

/** Saves an application's changed field groups. Throws ApiRefusal if the server refuses them. */
export function useUpdateApp({ appId, integrationType }: Pick<ApplicationDetail, 'appId' | 'integrationType'>) {
  const orgCode = useOrgCode();
  const update = useWrite(updateApp, { invalidates: ['Applications'] });
  const updateSaml = useWrite(updateSamlApp, { invalidates: ['Applications'] });
  return async (form: AppForm, changed: ChangedFields, ifMatch: string | undefined): Promise<SavedApp> => {
    const params = { orgCode, appId };
    const { etag } =
      integrationType === 'saml'
        ? await updateSaml.run({ params, body: samlUpdateBody(form, changed) }, { ifMatch })
        : await update.run({ params, body: updateBody(form, changed) }, { ifMatch });
    return { appId, version: etag };
  };
}

/** Creates a SAML application with the proposed ID, and returns its actual ID. */
export function useCreateSaml(proposedAppId: string) {
  const orgCode = useOrgCode();
  const create = useWrite(createSamlApp, { invalidates: ['Applications'] });
  return async (form: AppForm): Promise<SavedApp> => {
    const body = { ...samlCreateBody(form), orgCode, appId: proposedAppId };
    const { appId } = await create.run({ params: { orgCode }, body });
    if (!appId) throw new Error('The response must contain an appId.');
    return { appId, version: undefined };
  };
}
