import { getOrgSettings } from '@orchestrate/shared';
import useSWR from 'swr';
import { callPortal } from './phone/this-phone.ts';

/** Loads an organisation's name and colour; undefined while loading, and for ''. */
export function useBrandOf(orgCode: string): { name: string; color: string } | undefined {
  const { data } = useSWR(orgCode ? ['authenticator organisation', orgCode] : null, () =>
    callPortal(getOrgSettings, { query: { code: orgCode } }),
  );
  return data;
}
