import type { Application, IntegrationType } from '@orchestrate/shared';
import { useSearchParams } from 'react-router-dom';
import { useAddressChange } from '../../../lib/address/use-address-change.ts';
import { useTypedQuery } from '../../../lib/address/use-typed-query.ts';

/** In the order in which they are offered. */
export const INTEGRATION_TYPES = [
  'oidc',
  'saml',
  'radius',
  'ldap',
  'portal',
] as const satisfies readonly IntegrationType[];

/** Whether an application has every word that is searched for, in its name, its id or its description. */
function matches({ name, appId, description }: Application, words: readonly string[]): boolean {
  const text = `${name}\n${appId}\n${description}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

/**
 * The part of the list that is shown, by the search and the type in the address. The search follows every key, because
 * all applications are loaded already; the address follows once typing has paused.
 */
export function useApplicationFilter(apps: readonly Application[]) {
  const [address] = useSearchParams();
  const changeAddress = useAddressChange();
  const { typed, type, submit } = useTypedQuery(address.get('q') ?? '', (q) => changeAddress({ q }));
  const chosen = INTEGRATION_TYPES.find((each) => each === address.get('type'));
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const found = words.length > 0 ? apps.filter((app) => matches(app, words)) : apps;
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
