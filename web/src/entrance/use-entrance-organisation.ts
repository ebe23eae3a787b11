import { getOrgSettings } from '@orchestrate/shared';
import { useEffect } from 'react';
import { useRead } from '../lib/api/use-read.ts';
import { applyBrand } from '../lib/brand/brand.ts';
import { rememberOrganisation } from '../lib/session/session.ts';

/**
 * The organisation of a page before the sign-in. Once it is loaded, the page takes its colour and the browser remembers
 * it.
 */
export function useEntranceOrganisation(orgId: string) {
  const { data, refusal, isValidating, refetch } = useRead(getOrgSettings, { query: { code: orgId } });

  useEffect(() => {
    if (!data) return;
    applyBrand(data.color);
    rememberOrganisation(data.orgCode);
  }, [data]);

  // The schema refuses impossible codes; for the reader that is the same as an unknown organisation.
  const isUnknown = refusal?.resultName === 'ORG_CODE_NOT_FOUND' || refusal?.resultName === 'INVALID_REQUEST';
  return { settings: data, isUnknown, refusal, isValidating, refetch };
}
