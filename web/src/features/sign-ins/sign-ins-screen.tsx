import { Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { SignInsFound } from '../../login-history/sign-ins-found.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RefreshButton } from '../../ui/refresh-button.tsx';
import { Section } from '../../ui/section.tsx';
import { SignInFilterBar } from './sign-in-filter-bar.tsx';
import { useSignInFilters } from './use-sign-in-filters.ts';
import { useSignIns } from './use-sign-ins.ts';

/** Every sign-in of the organisation, failed ones too. */
export default function SignInsScreen() {
  const { address, isFiltered, change, clear } = useSignInFilters();
  const list = useSignIns(address);
  return (
    <Flex direction="column" gap="6">
      <title>{t`Sign-ins · Orchestrate`}</title>
      <PageHeader title={t`Sign-ins`} description={t`Who signed in, where and how, and whose sign-in failed.`} />
      <SignInFilterBar address={address} onChange={change} />
      <Section title={t`Newest first`} isFlush aside={<RefreshButton refetch={list.refetch} />}>
        <SignInsFound list={list} onClear={isFiltered ? clear : undefined} />
      </Section>
    </Flex>
  );
}
