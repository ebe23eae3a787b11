import { getOrgSettings } from '@orchestrate/shared';
import useSWR from 'swr';
import { callPortal } from './phone/this-phone.ts';

/** Name and colour of an organisation; undefined until known. An organisation is never looked up for ''. */
export function useBrandOf(orgCode: string): { name: string; color: string } | undefined {
  const { data } = useSWR(orgCode ? ['authenticator organisation', orgCode] : null, () =>
    callPortal(getOrgSettings, { query: { code: orgCode } }),
  );
  return data;
}
