import { Box, Button, Flex, Menu, Portal, Skeleton } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import type { Application, IntegrationType, OrgLoginOptions } from '@orchestrate/shared';
import {
  AppWindow,
  ChevronDown,
  FileKey2,
  FolderTree,
  KeyRound,
  Lock,
  type LucideIcon,
  Plus,
  Router,
} from 'lucide-react';
import { type ReactNode, useDeferredValue, useMemo, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useOrgLoginOptions } from '#features/settings/shared/login-options.ts';
import { useAddressChange } from '#lib/address/use-address-change.ts';
import { useModalOf } from '#lib/address/use-modal.ts';
import { useTypedQuery } from '#lib/address/use-typed-query.ts';
import { formatNumber } from '#lib/format/numbers.ts';
import { hasWords } from '#lib/format/text.ts';
import { useCan } from '#lib/session/session.ts';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';
import { SearchField } from '#ui/form/search-field.tsx';
import { EmptyState, NoMatches } from '#ui/list/empty-state.tsx';
import { FilterChips } from '#ui/list/filter-chips.tsx';
import { ListLine } from '#ui/list/list-end.tsx';
import { Section } from '#ui/list/section.tsx';
import { TabList } from '#ui/list/tab-list.tsx';
import { Page, PageHeader } from '#ui/text/page-header.tsx';
import { ApiResources } from '../apis/api-resources.tsx';
import { CREATE_DIALOGS, type CreateDialogName, CreateDialogs } from '../create/create-dialogs.tsx';
import { Groups } from '../groups/groups.tsx';
import { useApplications } from '../use-applications.ts';
import { ApplicationsSkeleton, ApplicationsTable } from './applications-table.tsx';
import { RegistrationTokens } from './registration-tokens.tsx';

const TYPES = [
  { value: 'create-saml', label: 'SAML', icon: FileKey2 },
  { value: 'create-oidc', label: 'OIDC', icon: KeyRound },
  { value: 'create-radius', label: 'RADIUS', icon: Router },
  { value: 'create-ldap', label: 'LDAP', icon: FolderTree },
] as const satisfies { value: CreateDialogName; label: string; icon: LucideIcon }[];

/** Menu of the application types that can be created. */
function CreateMenu({ onChoose }: { onChoose: (dialog: CreateDialogName) => void }) {
  const mayAll = useCan('SESSION_MANAGEMENT');
  return (
    <Menu.Root
      positioning={{ placement: 'bottom-end' }}
      onSelect={({ value }) => onChoose(CREATE_DIALOGS.find((dialog) => dialog === value) ?? 'create-oidc')}
    >
      <Menu.Trigger asChild>
        <Button>
          <Plus />
          {t`Add application`}
          <ChevronDown />
        </Button>
      </Menu.Trigger>
      <Portal>
        <Menu.Positioner>
          <Menu.Content>
            {TYPES.filter(({ value }) => mayAll || value === 'create-saml').map(({ value, label, icon: Icon }) => (
              <Menu.Item key={value} value={value}>
                <Icon />
                {label}
              </Menu.Item>
            ))}
          </Menu.Content>
        </Menu.Positioner>
      </Portal>
    </Menu.Root>
  );
}

/** Application types in menu order. */
const INTEGRATION_TYPES = ['oidc', 'saml', 'radius', 'ldap', 'portal'] as const satisfies readonly IntegrationType[];

/**
 * Filters the list by the search and type in the URL. The search applies on every keystroke, because all applications
 * are already loaded. The URL is updated when typing pauses.
 */
function useApplicationFilter(apps: readonly Application[]) {
  const [address] = useSearchParams();
  const changeAddress = useAddressChange();
  const { typed, type, submit } = useTypedQuery(address.get('q') ?? '', (q) => changeAddress({ q }));
  const chosen = INTEGRATION_TYPES.find((each) => each === address.get('type'));
  // Typing stays smooth, because the list follows only when the browser has time.
  const sought = useDeferredValue(typed);
  const found = useMemo(
    () => apps.filter(({ name, appId, description }) => hasWords(`${name}\n${appId}\n${description}`, sought)),
    [apps, sought],
  );
  const shown = useMemo(
    () => (chosen ? found.filter(({ integrationType }) => integrationType === chosen) : found),
    [found, chosen],
  );
  return {
    search: { value: typed, onChange: type, onSubmit: submit },
    chosen,
    choose: (next: IntegrationType | undefined) => changeAddress({ type: next, q: typed }),
    /** Search results of all types. */
    found,
    /** Search results of the selected type. */
    shown,
    clear: () => {
      type('');
      changeAddress({ type: undefined, q: undefined });
    },
  };
}

const QUERY_MAX_LENGTH = 100;

interface ApplicationListProps {
  apps: readonly Application[];
  organisation: OrgLoginOptions;
}

/** Lists the applications, with search and a type filter. `apps` must not be empty. */
function ApplicationList({ apps, organisation }: ApplicationListProps) {
  const { search, chosen, choose, found, shown, clear } = useApplicationFilter(apps);
  const field = useRef<{ focus: () => void }>(null);
  const countOf = (type: Application['integrationType']) =>
    formatNumber(found.filter(({ integrationType }) => integrationType === type).length);
  // Hide types the organisation doesn't use, unless the URL names one.
  const types = INTEGRATION_TYPES.filter((type) => type === chosen || apps.some((app) => app.integrationType === type));
  const count = formatNumber(shown.length);
  return (
    <Flex direction="column" gap="4">
      <Flex gap="3" wrap="wrap" role="search">
        <Box flex="1 1 15rem" display="flex">
          <SearchField
            ref={field}
            label={t`Search applications`}
            placeholder={t`Name, ID or description`}
            maxLength={QUERY_MAX_LENGTH}
            {...search}
          />
        </Box>
        <FilterChips
          label={t`Type`}
          choices={[
            { value: undefined, label: t`All`, count: formatNumber(found.length) },
            ...types.map((value) => ({
              value,
              label: value.toUpperCase(),
              count: countOf(value),
            })),
          ]}
          value={chosen}
          onChange={choose}
        />
      </Flex>
      <ListLine isHidden={shown.length === apps.length}>
        {shown.length !== apps.length
          ? t`${count} of ${formatNumber(apps.length)} applications`
          : plural(apps.length, { one: '# application', other: '# applications' })}
      </ListLine>
      <Section isFlush>
        {shown.length > 0 ? (
          <ApplicationsTable apps={shown} organisation={organisation} />
        ) : (
          <NoMatches
            level="h2"
            title={t`No applications match`}
            description={
              search.value.trim()
                ? chosen
                  ? t`No ${chosen.toUpperCase()} application has “${search.value.trim()}” in its name, ID or description.`
                  : t`No application has “${search.value.trim()}” in its name, ID or description.`
                : t`Your organisation has no applications of this type.`
            }
            action={
              <Button
                variant="outline"
                onClick={() => {
                  clear();
                  field.current?.focus();
                }}
              >
                {t`Clear search`}
              </Button>
            }
          />
        )}
      </Section>
    </Flex>
  );
}

const TABS = [
  { value: 'applications', label: t`Applications` },
  { value: 'groups', label: t`Groups` },
  { value: 'apis', label: t`APIs` },
  { value: 'registration', label: t`Registration` },
] as const;
type Tab = (typeof TABS)[number]['value'];

const CONTENTS: Record<Tab, () => ReactNode> = {
  applications: () => <List />,
  groups: () => <Groups />,
  apis: () => <ApiResources />,
  registration: () => <RegistrationTokens />,
};

/** Lists the applications that users sign in to through this portal (spec 2 §2). */
export default function ApplicationsScreen() {
  const { modal, open, close } = useModalOf(CREATE_DIALOGS);
  const [address] = useSearchParams();
  const changeAddress = useAddressChange();
  // Members without this permission can only configure SAML applications, and aren't shown any others.
  const mayAll = useCan('SESSION_MANAGEMENT');
  const tab = (mayAll && TABS.find(({ value }) => value === address.get('tab'))?.value) || 'applications';
  const choose = (next: Tab) =>
    changeAddress({ tab: next === 'applications' ? undefined : next, q: undefined, type: undefined });
  return (
    <Page>
      <title>{t`Applications · Orchestrate`}</title>
      <PageHeader
        title={t`Applications`}
        description={t`The apps your people sign in to.`}
        action={tab === 'applications' && <CreateMenu onChoose={open} />}
      />
      {mayAll ? (
        <TabList look="line" label={t`Applications and their resources`} tabs={TABS} value={tab} onChange={choose}>
          {CONTENTS[tab]()}
        </TabList>
      ) : (
        <List />
      )}
      <CreateDialogs dialog={modal} onClose={close} />
    </Page>
  );
}

function List() {
  const { data, ...read } = useApplications();
  const options = useOrgLoginOptions();
  const refusal = read.refusal ?? options.refusal;
  if (data?.apps.length === 0)
    return (
      <Section isFlush>
        <EmptyState
          icon={AppWindow}
          level="h2"
          title={t`No applications yet`}
          description={t`Add an application that supports OpenID Connect or SAML to let people sign in without a password.`}
        />
      </Section>
    );
  if (data && options.data) return <ApplicationList apps={data.apps} organisation={options.data} />;
  if (!refusal) return <ListSkeleton />;
  return (
    <Section isFlush>
      {refusal.status === 403 ? (
        <EmptyState icon={Lock} level="h2" title={t`You don't have permission to view applications`} />
      ) : (
        <RefusalState
          level="h2"
          refusal={refusal}
          onRetry={() => void Promise.all([read.refetch(), options.refetch()])}
        />
      )}
    </Section>
  );
}

function ListSkeleton() {
  return (
    <Flex direction="column" gap="4">
      <Flex gap="3">
        <Skeleton h="9" flex="1" />
        <Skeleton h="9" w="72" hideBelow="xs" />
      </Flex>
      <ListLine isHidden>{t`Loading applications`}</ListLine>
      <Section isFlush>
        <ApplicationsSkeleton />
      </Section>
    </Flex>
  );
}
