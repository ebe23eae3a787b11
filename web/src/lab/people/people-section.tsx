import { Button, chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { PEOPLE_MAX, type PhonePolicy, readPeople, readPolicies, virtualDevices } from '@orchestrate/shared';
import { UserPlus, Users } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { statusBadge } from '#features/members/shared/member-status.ts';
import { useAddressChange } from '#lib/address/use-address-change.ts';
import { useTypedQuery } from '#lib/address/use-typed-query.ts';
import { useIsDesktop } from '#lib/browser/use-media.ts';
import { joinWithDots } from '#lib/format/text.ts';
import { StatusBadge } from '#ui/feedback/status-badge.tsx';
import { SearchField } from '#ui/form/search-field.tsx';
import { EmptyState, NoMatches } from '#ui/list/empty-state.tsx';
import { Section } from '#ui/list/section.tsx';
import { PageHeader } from '#ui/text/page-header.tsx';
import { useLiveRead } from '../lab-updates.tsx';
import { EmptyList, ListCount } from '../line-list.tsx';
import { policyText } from '../phones/policy-text.ts';
import { RowButton, TwoPanes } from '../two-panes.tsx';
import { CreatePersonDialog } from './make-person-dialog.tsx';
import { PersonDetails } from './person-details.tsx';
import { matchesSearch, policiesFor, type SimulatedPerson, withDevices } from './simulated-people.ts';

/** Maximum number of people listed at a time. Users can find the others by searching. */
const SHOWN = 100;

const PERSON = 'person';
const FIND = 'find';

/** All people with their simulated phones and policies. */
export function PeopleSection() {
  const { data: listed, refetch } = useLiveRead(readPeople, { query: { limit: String(PEOPLE_MAX) } });
  const { data, refetch: readDevices } = useLiveRead(virtualDevices, { query: {} });
  const { data: policyList, refetch: readAgain } = useLiveRead(readPolicies, {});
  const [search] = useSearchParams();
  const change = useAddressChange();
  const isDesktop = useIsDesktop();
  const [isMaking, setIsMaking] = useState(false);
  const policies = policyList?.policies ?? [];
  const people = listed && data ? withDevices(listed.people, data.devices) : [];
  const query = search.get(FIND) ?? '';
  const found = people.filter((person) => matchesSearch(person, query));
  const linked = people.find(({ suid }) => suid === search.get(PERSON));
  const open = linked ?? (isDesktop ? found[0] : undefined);
  return (
    <>
      <PageHeader
        title={t`People`}
        description={t`All people in all organisations, with their simulated phones and policies.`}
        action={
          <Button onClick={() => setIsMaking(true)}>
            <UserPlus aria-hidden />
            {t`Create a person`}
          </Button>
        }
      />
      <TwoPanes
        list={
          <PeoplePane
            isRead={listed !== undefined && data !== undefined}
            people={people}
            found={found}
            query={query}
            policies={policies}
            openSuid={open?.suid}
            onFind={(typed) => change({ [FIND]: typed })}
            onOpen={(suid) => change({ [PERSON]: suid }, { isStep: !linked })}
          />
        }
        chosen={
          open && (
            <PersonDetails key={open.suid} person={open} policies={policies} onPolicies={() => void readAgain()} />
          )
        }
        empty={
          <EmptyState
            icon={Users}
            title={t`No person selected`}
            description={t`Select a person to see their phones.`}
          />
        }
        back={{ label: t`Everyone`, onBack: () => change({ [PERSON]: null }) }}
      />
      <CreatePersonDialog
        isOpen={isMaking}
        onClose={() => setIsMaking(false)}
        orgCode={people[0]?.orgCode ?? ''}
        onMade={(suid) =>
          void Promise.all([refetch(), readDevices()]).then(() => change({ [PERSON]: suid, [FIND]: null }))
        }
      />
    </>
  );
}

interface PeoplePaneProps {
  isRead: boolean;
  people: readonly SimulatedPerson[];
  found: readonly SimulatedPerson[];
  query: string;
  policies: readonly PhonePolicy[];
  openSuid: string | undefined;
  onFind: (typed: string) => void;
  onOpen: (suid: string) => void;
}

function PeoplePane({ isRead, people, found, query, policies, openSuid, onFind, onOpen }: PeoplePaneProps) {
  const { typed, type, submit } = useTypedQuery(query, onFind);
  return (
    <Section
      title={t`Everyone`}
      isFlush
      aside={
        <ListCount
          of={
            isRead
              ? found.length === people.length
                ? people.length
                : t`${found.length} of ${people.length}`
              : undefined
          }
        />
      }
    >
      <Flex px="3" py="3" borderBottomWidth="1px">
        <SearchField
          label={t`Search people`}
          placeholder={t`Name, address, role, status`}
          maxLength={254}
          value={typed}
          onChange={type}
          onSubmit={submit}
        />
      </Flex>
      {found.length > 0 ? (
        <chakra.ul
          aria-label={t`People`}
          listStyleType="none"
          overflowY="auto"
          maxH={{ sm: 'max(20rem, calc(100dvh - 20rem))' }}
        >
          {found.slice(0, SHOWN).map((person) => (
            <li key={person.suid}>
              <PersonRow
                person={person}
                policy={policiesFor(person, policies)[0]}
                isOpen={person.suid === openSuid}
                onOpen={() => onOpen(person.suid)}
              />
            </li>
          ))}
          {found.length > SHOWN && (
            <chakra.li
              px="5"
              py="3"
              textStyle="xs"
              color="fg.muted"
            >{t`Only the first ${SHOWN} people are listed. Search to find others.`}</chakra.li>
          )}
        </chakra.ul>
      ) : people.length > 0 ? (
        <NoMatches
          title={t`No matching people`}
          description={t`Search by name, address, role, status or organisation.`}
        />
      ) : (
        <EmptyList
          isRead={isRead}
          icon={Users}
          title={t`No people yet`}
          description={t`Create a person with a simulated phone.`}
        />
      )}
    </Section>
  );
}

interface PersonRowProps {
  person: SimulatedPerson;
  /** First policy that matches this person's requests. */
  policy: PhonePolicy | undefined;
  isOpen: boolean;
  onOpen: () => void;
}

function PersonRow({ person, policy, isOpen, onOpen }: PersonRowProps) {
  const { fullName, email, orgName, roleName, status, devices } = person;
  return (
    <RowButton isOpen={isOpen} onOpen={onOpen} display="block" py="3">
      <Flex gap="2" align="center" justify="space-between">
        <Text fontWeight="medium" overflowWrap="anywhere">
          {fullName}
        </Text>
        {status !== 'active' && <StatusBadge {...statusBadge(status)} />}
      </Flex>
      <Text textStyle="sm" color="fg.muted" overflowWrap="anywhere">
        {email}
      </Text>
      <Text textStyle="xs" color="fg.muted" overflowWrap="anywhere">
        {joinWithDots(roleName, orgName, devices.map(({ name }) => name).join(', '))}
      </Text>
      {policy && (
        <Text textStyle="xs" fontWeight="medium" overflowWrap="anywhere">
          {policyText(policy)}
        </Text>
      )}
    </RowButton>
  );
}
