import { type AppLogin, getAppLogin } from '@orchestrate/shared';
import { useSearchParams } from 'react-router-dom';
import useSWRImmutable from 'swr/immutable';
import { call } from '../../lib/api.ts';
import type { ApiRefusal } from '../../lib/api-refusal.ts';

/** The sign-in to an application for which the browser was sent here; undefined for one to the portal. */
export function useAppLoginId(): string | undefined {
  const [search] = useSearchParams();
  return search.get('app') ?? undefined;
}

/** Which application that is, and which ways it leaves. */
export function useAppLogin() {
  const appLoginId = useAppLoginId();
  const { data, error } = useSWRImmutable<AppLogin, ApiRefusal>(appLoginId ? ['app-login', appLoginId] : null, () =>
    call(getAppLogin, { params: { appLoginId: appLoginId ?? '' } }),
  );
  return { appLogin: data, refusal: error, isLoading: appLoginId !== undefined && !data && !error };
}
