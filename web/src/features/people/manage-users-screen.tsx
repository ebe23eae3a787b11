import { Flex } from '@chakra-ui/react';
import { getOrgSettings } from '@orchestrate/shared';
import { useRef } from 'react';
import { useSession } from '../../lib/session.ts';
import { useRead } from '../../lib/use-endpoint.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { FoundMembers } from './found-members.tsx';
import { SearchBar } from './search-bar.tsx';
import { searchFieldsOf } from './search-fields.ts';
import { useSearchAddress } from './use-search-address.ts';

/** Finds members of the organisation. */
export default function ManageUsersScreen() {
  const orgId = useSession()?.orgId ?? '';
  const { data: organisation, isLoading } = useRead(getOrgSettings, { query: { code: orgId } });
  const fields = searchFieldsOf(organisation?.primaryAttrField);
  const { address, change } = useSearchAddress(fields.map(({ field }) => field));
  const searchField = useRef<{ focus: () => void }>(null);
  const clear = () => {
    change({ query: '', status: undefined });
    searchField.current?.focus();
  };
  return (
    <Flex direction="column" gap="6">
      <title>Manage Users · Orchestrate</title>
      <PageHeader
        title="Manage Users"
        description="Find a member, hand out an activation code, or switch access off."
      />
      <SearchBar ref={searchField} address={address} onChange={change} fields={fields} />
      <FoundMembers address={address} fields={fields} isReady={!isLoading} onClear={clear} />
    </Flex>
  );
}
