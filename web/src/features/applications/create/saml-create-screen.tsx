import { t } from '@lingui/core/macro';
import { getDefaultLoginOptions } from '@orchestrate/shared';
import { useState } from 'react';
import { Navigate } from 'react-router-dom';
import { useRead } from '#lib/api/use-read.ts';
import { paths } from '#paths.ts';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';
import { AppEditor } from '../editor/app-editor.tsx';
import { newSamlForm } from '../editor/app-form.ts';
import { EditorSkeleton } from '../editor/application-screen.tsx';
import { useCreateSaml } from '../editor/use-save-app.ts';
import { SamlTab } from '../saml/saml-tab.tsx';
import { useOrgCode } from '../use-applications.ts';
import { readSamlDraft, type SamlDraft, storeSamlDraft } from './saml-draft.ts';

/** The second step of creating a SAML application. Returns to the list if there is no draft from the first dialog. */
export default function SamlCreateScreen() {
  const [draft] = useState(readSamlDraft);
  return draft ? <Create draft={draft} /> : <Navigate to={paths.applications} replace />;
}

const texts = { saved: t`Application created`, failed: t`Couldn't create the application` };

function Create({ draft }: { draft: SamlDraft }) {
  const orgCode = useOrgCode();
  const { data, refusal, refetch } = useRead(getDefaultLoginOptions, orgCode ? { params: { orgCode } } : null);
  const create = useCreateSaml(draft.appId);
  if (refusal) return <RefusalState level="h1" refusal={refusal} onRetry={refetch} />;
  if (!data) return <EditorSkeleton />;
  return (
    <AppEditor
      type="saml"
      root={paths.samlCreate}
      initial={newSamlForm(draft, data.result)}
      save={async (form) => {
        const appId = await create(form);
        storeSamlDraft(null);
        return appId;
      }}
      pathAfter={paths.application}
      texts={texts}
      configuration={<SamlTab />}
      onCancel={() => storeSamlDraft(null)}
    />
  );
}
