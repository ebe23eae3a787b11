import { Button, Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { getOrgSettings, LIMITS } from '@orchestrate/shared';
import { Mail, MailOpen, UserPlus } from 'lucide-react';
import { type Ref, useRef } from 'react';
import { Link } from 'react-router-dom';
import { useModal } from '#lib/address/use-modal.ts';
import { useTypedQuery } from '#lib/address/use-typed-query.ts';
import { useRead } from '#lib/api/use-read.ts';
import { useCan, useSession } from '#lib/session/session.ts';
import { paths } from '#paths.ts';
import { SearchField } from '#ui/form/search-field.tsx';
import { Select } from '#ui/form/select.tsx';
import { Page, PageHeader } from '#ui/text/page-header.tsx';
import { MemberResults } from './member-results.tsx';
import { type MemberSearchField, searchFieldsOf } from './search-fields.ts';
import { StatusFilter } from './status-filter.tsx';
import { isShortSearch, searchTextOf } from './use-member-search.ts';
import { type OptionalTotals, useMemberTotals } from './use-member-totals.ts';
import { QUERY_MAX_LENGTH, type SearchAddress, useSearchAddress } from './use-search-address.ts';

interface SearchBarProps {
  address: SearchAddress;
  onChange: (changed: Partial<SearchAddress>) => void;
  fields: readonly MemberSearchField[];
  /** Number of members per choice. Absent for a choice that lists members only after a search. */
  totals: OptionalTotals | undefined;
  ref?: Ref<{ focus: () => void }>;
}

const EXPIRING = [{ value: 'expiring', label: t`Code expires soon`, isApart: true }] as const;

/** Edits the search text, search field and status filter. */
function SearchBar({ address, onChange, fields, totals, ref }: SearchBarProps) {
  const { typed, type, submit } = useTypedQuery(address.query, (query) => onChange({ query, entered: undefined }));
  const enter = () => (isShortSearch(typed) ? onChange({ query: typed, entered: 'yes' }) : submit());
  const by = fields.find(({ field }) => field === address.field) ?? fields[0];
  return (
    <Flex role="search" direction="column" gap="4">
      <StatusFilter
        value={address.codes ?? address.status}
        onChange={(filter) =>
          filter === 'expiring'
            ? onChange({ codes: filter, status: undefined, sort: undefined, query: typed })
            : onChange({ codes: undefined, status: filter, query: typed })
        }
        totals={totals}
        others={EXPIRING}
      />
      <Flex gap="2">
        <Select
          aria-label={t`Search by`}
          width="36"
          value={address.field}
          onChange={({ target }) => onChange({ field: target.value, query: typed })}
        >
          {fields.map(({ field, label }) => (
            <option key={field} value={field}>
              {label}
            </option>
          ))}
        </Select>
        <SearchField
          ref={ref}
          label={t`Search members`}
          placeholder={t`Type at least ${LIMITS.searchMinLength} characters (${by?.inSentence ?? ''})`}
          maxLength={QUERY_MAX_LENGTH}
          value={typed}
          onChange={type}
          onSubmit={enter}
        />
      </Flex>
    </Flex>
  );
}

/** Searches and lists the organisation's members. */
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
    <Page>
      <title>{t`Manage Users · Orchestrate`}</title>
      <PageHeader
        title={t`Manage Users`}
        description={t`Find members, issue activation codes, and enable or disable access.`}
        action={
          canInvite && (
            <Flex gap="2.5" wrap="wrap">
              <Button asChild variant="outline">
                <Link to={paths.invitations}>
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
      <MemberResults
        address={address}
        onChange={change}
        fields={fields}
        totals={totals}
        isReady={!isLoading}
        onClear={clear}
      />
    </Page>
  );
}
