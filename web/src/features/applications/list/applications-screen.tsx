import { Flex, Skeleton } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { AppWindow, Lock } from 'lucide-react';
import { useModalOf } from '../../../lib/address/use-modal.ts';
import { useCan } from '../../../lib/session/session.ts';
import { useOrgLoginOptions } from '../../../login-options/org-login-options.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ListLine } from '../../../ui/list-line.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { RefusalState } from '../../../ui/refusal-state.tsx';
import { Section } from '../../../ui/section.tsx';
import { ApiResources } from '../apis/api-resources.tsx';
import { CREATE_DIALOGS, CreateDialogs } from '../create/create-dialogs.tsx';
import { CreateMenu } from '../create/create-menu.tsx';
import { Groups } from '../groups/groups.tsx';
import { RegistrationTokens } from '../registration/registration-tokens.tsx';
import { useApplications } from '../use-applications.ts';
import { ApplicationList } from './application-list.tsx';
import { ApplicationsSkeleton } from './applications-table.tsx';

/** The applications that people sign in to with this organisation's portal (spec 2 §2). */
export default function ApplicationsScreen() {
  const { modal, open, close } = useModalOf(CREATE_DIALOGS);
  // Others configure SAML applications alone, and see no others.
  const mayAll = useCan('SESSION_MANAGEMENT');
  return (
    <Flex direction="column" gap="6">
      <title>{t`Applications · Orchestrate`}</title>
      <PageHeader
        title={t`Applications`}
        description={t`The apps your people sign in to.`}
        action={<CreateMenu onChoose={open} />}
      />
      <List />
      {mayAll && (
        <>
          <Groups />
          <ApiResources />
          <RegistrationTokens />
        </>
      )}
      <CreateDialogs dialog={modal} onClose={close} />
    </Flex>
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
          description={t`Add one that supports OpenID Connect or SAML, and people can sign in to it without a password.`}
        />
      </Section>
    );
  if (data && options.data) return <ApplicationList apps={data.apps} organisation={options.data} />;
  if (!refusal) return <ListSkeleton />;
  return (
    <Section isFlush>
      {refusal.status === 403 ? (
        <EmptyState icon={Lock} level="h2" title={t`You don't have permission for this`} />
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
      <ListLine>{t`Loading applications`}</ListLine>
      <Section isFlush>
        <ApplicationsSkeleton />
      </Section>
    </Flex>
  );
}
