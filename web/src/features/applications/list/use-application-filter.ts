import type { Application, IntegrationType } from '@orchestrate/shared';
import { useSearchParams } from 'react-router-dom';
import { useAddressChange } from '../../../lib/address/use-address-change.ts';
import { useTypedQuery } from '../../../lib/address/use-typed-query.ts';
import { hasWords } from '../../../lib/format/has-words.ts';

/** In the order in which they are offered. */
export const INTEGRATION_TYPES = [
  'oidc',
  'saml',
  'radius',
  'ldap',
  'portal',
] as const satisfies readonly IntegrationType[];

/**
 * The part of the list that is shown, by the search and the type in the address. The search follows every key, because
 * all applications are loaded already; the address follows once typing has paused.
 */
export function useApplicationFilter(apps: readonly Application[]) {
  const [address] = useSearchParams();
  const changeAddress = useAddressChange();
  const { typed, type, submit } = useTypedQuery(address.get('q') ?? '', (q) => changeAddress({ q }));
  const chosen = INTEGRATION_TYPES.find((each) => each === address.get('type'));
  const found = apps.filter(({ name, appId, description }) => hasWords(`${name}\n${appId}\n${description}`, typed));
  return {
    search: { value: typed, onChange: type, onSubmit: submit },
    chosen,
    choose: (next: IntegrationType | undefined) => changeAddress({ type: next, q: typed }),
    /** Those that the search finds, of every type. */
    found,
    /** Those of the chosen type. */
    shown: chosen ? found.filter(({ integrationType }) => integrationType === chosen) : found,
    clear: () => {
      type('');
      changeAddress({ type: undefined, q: undefined });
    },
  };
}
