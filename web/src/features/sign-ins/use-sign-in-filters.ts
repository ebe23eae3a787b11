import { useSearchParams } from 'react-router-dom';
import { readDay } from '../../events/period.ts';
import { useAddressChange } from '../../lib/address/use-address-change.ts';
import { type SignInAddress, signInParameters } from '../../login-history/sign-ins-address.ts';

const ID_MAX_LENGTH = 64;
const STATUSES = ['Success', 'Failed'] as const;

/** The filters in the address, so that Back, a reload or a link brings them back. Invalid ones are ignored. */
export function useSignInFilters() {
  const [search] = useSearchParams();
  const changeAddress = useAddressChange();
  const read = (name: keyof typeof signInParameters) => search.get(signInParameters[name]);
  const text = (name: keyof typeof signInParameters) => read(name)?.trim().slice(0, ID_MAX_LENGTH) || undefined;
  const id = (name: keyof typeof signInParameters) => (/^[\w-]+$/.test(text(name) ?? '') ? text(name) : undefined);
  const address = {
    status: STATUSES.find((status) => status === read('status')),
    suid: id('suid'),
    appId: id('appId'),
    mode: text('mode'),
    ip: text('ip'),
    from: readDay(read('from')),
    to: readDay(read('to')),
  };
  const change = (changed: SignInAddress) =>
    changeAddress(
      Object.fromEntries(
        Object.entries(changed).map(([name, value]) => [
          signInParameters[name as keyof typeof signInParameters],
          value,
        ]),
      ),
    );
  return {
    address,
    isFiltered: Object.values(address).some(Boolean),
    change,
    clear: () => change(Object.fromEntries(Object.keys(signInParameters).map((name) => [name, undefined]))),
  };
}

export type SignInFilters = ReturnType<typeof useSignInFilters>['address'];
