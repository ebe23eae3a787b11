import { Button, Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { getOrgSettings } from '@orchestrate/shared';
import { Mail, MailOpen, UserPlus } from 'lucide-react';
import { useRef } from 'react';
import { Link } from 'react-router-dom';
import { useModal } from '../../../lib/address/use-modal.ts';
import { useRead } from '../../../lib/api/use-read.ts';
import { useCan, useSession } from '../../../lib/session/session.ts';
import { invitationsPath } from '../../../members/invitations-path.ts';
import { PageHeader } from '../../../ui/page-header.tsx';
import { FoundMembers } from './found-members.tsx';
import { SearchBar } from './search-bar.tsx';
import { searchFieldsOf } from './search-fields.ts';
import { searchTextOf } from './use-member-search.ts';
import { useMemberTotals } from './use-member-totals.ts';
import { useSearchAddress } from './use-search-address.ts';

/** Finds members of the organisation. */
export default function ManageUsersScreen() {
  const orgId = useSession()?.orgId ?? '';
  const { data: organisation, isLoading } = useRead(getOrgSettings, { query: { code: orgId } });
  const canInvite = useCan('BULK_INVITE');
  const { open } = useModal();
  const fields = searchFieldsOf(organisation?.primaryAttrField);
  const { address, change } = useSearchAddress(fields.map(({ field }) => field));
  const canSearch = useCan('SEARCH_USER');
  const text = searchTextOf(address);
  const totals = useMemberTotals(isLoading || !canSearch ? null : { q: text ?? undefined, field: address.field });
  const searchField = useRef<{ focus: () => void }>(null);
  const clear = () => {
    change({ query: '', entered: undefined, status: undefined, codes: undefined, sort: undefined });
    searchField.current?.focus();
  };
  return (
    <Flex direction="column" gap="6">
      <title>{t`Manage Users · Orchestrate`}</title>
      <PageHeader
        title={t`Manage Users`}
        description={t`Find members, issue activation codes and turn access on or off.`}
        action={
          canInvite && (
            <Flex gap="2.5" wrap="wrap">
              <Button asChild variant="outline">
                <Link to={invitationsPath}>
                  <MailOpen />
                  {t`Invitations`}
                </Link>
              </Button>
              <Button variant="outline" onClick={() => open('add-user')}>
                <UserPlus />
                {t`Add user`}
              </Button>
              <Button onClick={() => open('invite')}>
                <Mail />
                {t`Invite users`}
              </Button>
            </Flex>
          )
        }
      />
      <SearchBar
        ref={searchField}
        address={address}
        onChange={change}
        fields={fields}
        totals={text === null ? undefined : text === undefined ? { ...totals, all: undefined } : totals}
      />
      <FoundMembers
        address={address}
        onChange={change}
        fields={fields}
        totals={totals}
        isReady={!isLoading}
        onClear={clear}
      />
    </Flex>
  );
}
