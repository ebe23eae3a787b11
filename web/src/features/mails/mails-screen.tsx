import { chakra, Flex, Grid, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { listMailTexts, type MailText } from '@orchestrate/shared';
import { Link, useSearchParams } from 'react-router-dom';
import { useRead } from '../../lib/api/use-read.ts';
import { resultText } from '../../lib/notices/result-text.ts';
import { MAIL_TITLES } from '../../mails/mail-titles.ts';
import { paths } from '../../paths.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Section } from '../../ui/section.tsx';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { MailEditor } from './mail-editor.tsx';

/** The words of the mails that the organisation sends. */
export default function MailsScreen() {
  const { data, refusal, refetch } = useRead(listMailTexts, {});
  const [search] = useSearchParams();
  const shown = data?.mails.find(({ name }) => name === search.get('mail')) ?? data?.mails[0];
  return (
    <Flex direction="column" gap="6">
      <title>{t`Mails · Orchestrate`}</title>
      <PageHeader title={t`Mails`} description={t`What people read in the mails that your organisation sends.`} />
      {!data && refusal && (
        <ErrorState
          level="h2"
          message={resultText(refusal)}
          requestId={refusal.requestId}
          onRetry={() => void refetch()}
        />
      )}
      {!data && !refusal && (
        <Section isFlush>
          <SkeletonRows rows={10} label={t`Loading mails`} />
        </Section>
      )}
      {data && shown && (
        <Grid templateColumns={{ base: 'minmax(0, 1fr)', sm: '15rem minmax(0, 1fr)' }} gap="6" alignItems="start">
          <MailList mails={data.mails} shown={shown} />
          <MailEditor key={shown.name} mail={shown} />
        </Grid>
      )}
    </Flex>
  );
}

const MailLink = chakra(Link, {
  base: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: '2',
    px: '4',
    py: '2.5',
    outline: '0',
    focusVisibleRing: 'inside',
    _hover: { bg: 'bg.subtle' },
    _currentPage: { bg: 'brand.subtle', fontWeight: 'medium' },
  },
});

function MailList({ mails, shown }: { mails: readonly MailText[]; shown: MailText }) {
  return (
    <Section isFlush>
      <chakra.nav aria-label={t`Mails`}>
        <chakra.ul listStyleType="none">
          {mails.map(({ name, isOwn }) => (
            <li key={name}>
              <MailLink to={`${paths.mails}?mail=${name}`} aria-current={name === shown.name ? 'page' : undefined}>
                <Text minW="0">{MAIL_TITLES[name]}</Text>
                {isOwn && <StatusBadge status={t`Own words`} tone="neutral" />}
              </MailLink>
            </li>
          ))}
        </chakra.ul>
      </chakra.nav>
    </Section>
  );
}
