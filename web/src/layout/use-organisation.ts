import { getOrgSettings } from '@orchestrate/shared';
import { useEffect } from 'react';
import { applyBrand } from '../lib/brand.ts';
import { useRead } from '../lib/use-endpoint.ts';

/** The settings of the organisation, whose colour the portal takes on. */
export function useOrganisation(orgId: string) {
  const { data } = useRead(getOrgSettings, { query: { code: orgId } });
  const colour = data?.color;
  useEffect(() => {
    if (colour) applyBrand(colour);
  }, [colour]);
  return data;
}
