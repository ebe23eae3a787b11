import { getOrgSettings } from '@orchestrate/shared';
import { useEffect } from 'react';
import { useRead } from '../lib/api/use-read.ts';
import { applyBrand } from '../lib/brand/brand.ts';

/** The settings of the organisation, whose colour the portal takes on. */
export function useOwnOrganisation(orgId: string) {
  const { data } = useRead(getOrgSettings, { query: { code: orgId } });
  const colour = data?.color;
  useEffect(() => {
    if (colour) applyBrand(colour);
  }, [colour]);
  return data;
}
