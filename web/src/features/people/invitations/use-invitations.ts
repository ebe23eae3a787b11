import { type AppType, listInvitations } from '@orchestrate/shared';
import { useSearchParams } from 'react-router-dom';
import { useAddressChange } from '../../../lib/address/use-address-change.ts';
import { usePages } from '../../../lib/api/use-pages.ts';

/** The contract's limit; a longer text can only come from a made-up address. */
export const QUERY_MAX_LENGTH = 254;

const STATES = ['valid', 'expired'] as const;
const TYPES = ['mobile', 'desktop'] as const satisfies readonly AppType[];

export interface InvitationAddress {
  /** As it was typed. */
  q: string;
  /** undefined for all. */
  state: (typeof STATES)[number] | undefined;
  /** undefined for both. */
  app: AppType | undefined;
}

/** The filters in the address, so that Back, a reload or a link brings them back. Invalid ones are ignored. */
export function useInvitationAddress() {
  const [search] = useSearchParams();
  const changeAddress = useAddressChange();
  const address: InvitationAddress = {
    q: (search.get('q') ?? '').slice(0, QUERY_MAX_LENGTH),
    state: STATES.find((state) => state === search.get('state')),
    app: TYPES.find((type) => type === search.get('app')),
  };
  return {
    address,
    isFiltered: address.q !== '' || address.state !== undefined || address.app !== undefined,
    change: (changed: Partial<Record<keyof InvitationAddress, string | undefined>>) => changeAddress(changed),
    clear: () => changeAddress({ q: undefined, state: undefined, app: undefined }),
  };
}

const PAGE_SIZE = 50;

/** The open invitations that match the filters, the one that expires last first, page by page. */
export function useInvitations({ q, state, app }: InvitationAddress) {
  const { pages, ...list } = usePages(listInvitations, (lastItem) => ({
    query: { q: q.trim() || undefined, state, type: app, pageSize: PAGE_SIZE, lastItem },
  }));
  return { ...list, counts: pages?.[0]?.counts, invitations: pages?.flatMap((page) => page.Items) };
}
