import { LIMITS, previewAppDraft } from '@orchestrate/shared';
import { useFormContext, useWatch } from 'react-hook-form';
import { isEqual } from '../../../editing/three-way.ts';
import { useRead } from '../../../lib/api/use-read.ts';
import { useDebounced } from '../../../lib/time/use-debounced.ts';
import { samlToldOf } from '../editor/app-bodies.ts';
import type { AppForm } from '../editor/app-form.ts';
import { useOrgCode } from '../use-applications.ts';

type Told = Pick<AppForm, 'oidc' | 'saml'>;

/** What of the form decides what the application is told. */
const draftOf = ({ oidc, saml }: Told) =>
  oidc ? { claims: oidc.claims } : saml ? { saml: samlToldOf(saml) } : undefined;

/** The preview by what is typed, once typing has paused; nothing where it is what has been saved. */
export function useDraftPreview(appId: string, suid: string | undefined) {
  const orgCode = useOrgCode();
  const { control, formState } = useFormContext<AppForm>();
  const [oidc, saml] = useWatch({ control, name: ['oidc', 'saml'] });
  const draft = JSON.stringify(draftOf({ oidc, saml }));
  const settled = useDebounced(draft, LIMITS.searchDebounceMs);
  const saved = formState.defaultValues as Told | undefined;
  const isChanged = saved !== undefined && !isEqual(draftOf({ oidc, saml }), draftOf(saved));
  const body = isChanged && settled === draft ? { suid, ...JSON.parse(settled) } : null;
  const { data, refusal, isLoading } = useRead(previewAppDraft, body && { params: { orgCode, appId }, body });
  return { data: isChanged ? data : undefined, refusal, isChanged, isBusy: isChanged && (isLoading || body === null) };
}
