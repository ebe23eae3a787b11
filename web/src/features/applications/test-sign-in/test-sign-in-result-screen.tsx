import { Box, Button, Skeleton, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type AppTry, getAppTry } from '@orchestrate/shared';
import { FlaskConical } from 'lucide-react';
import { Link, useParams } from 'react-router-dom';
import { usePathName } from '#lib/address/path-names.ts';
import { useRead } from '#lib/api/use-read.ts';
import { formatDateTime } from '#lib/format/dates.ts';
import { indentXml } from '#lib/format/text.ts';
import { paths } from '#paths.ts';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';
import { StatusBadge, type Tone } from '#ui/feedback/status-badge.tsx';
import { CheckRow } from '#ui/form/checkbox.tsx';
import { AccordionSection } from '#ui/list/accordion-section.tsx';
import { EmptyState } from '#ui/list/empty-state.tsx';
import { Section } from '#ui/list/section.tsx';
import { Page, PageHeader } from '#ui/text/page-header.tsx';
import { RawText } from '#ui/text/raw-text.tsx';
import { useOrgCode } from '../use-applications.ts';

/** Shows the result of a test sign-in. */
export default function TestSignInResultScreen() {
  const { appId = '', tryId = '' } = useParams();
  const orgCode = useOrgCode();
  const { data, refusal, refetch } = useRead(getAppTry, orgCode ? { params: { orgCode, appId, tryId } } : null);
  usePathName(paths.application(appId), data?.try.appName);
  usePathName(paths.applicationTry(appId, tryId), t`Test sign-in`);
  if (data) return <Results found={data.try} onReload={() => void refetch()} />;
  if (refusal?.status === 404)
    return (
      <EmptyState
        icon={FlaskConical}
        level="h1"
        title={t`This test doesn't exist`}
        description={t`Results are kept for one day.`}
        action={<BackButton appId={appId} />}
      />
    );
  if (refusal) return <RefusalState level="h1" refusal={refusal} onRetry={refetch} />;
  return <Skeleton h="96" borderRadius="l3" role="status" aria-label={t`Loading result`} />;
}

const STATES: Record<AppTry['status'], { word: string; tone: Tone; sentence: string }> = {
  waiting: { word: t`Waiting`, tone: 'info', sentence: t`The sign-in hasn't been completed yet.` },
  expired: { word: t`Expired`, tone: 'neutral', sentence: t`The sign-in wasn't completed in time. Try again.` },
  passed: {
    word: t`Passed`,
    tone: 'success',
    sentence: t`The sign-in passes every check that the application would make.`,
  },
  failed: { word: t`Failed`, tone: 'danger', sentence: t`The application would reject this sign-in.` },
};

function Results({ found, onReload }: { found: AppTry; onReload: () => void }) {
  const { appId, appName, status, startedAt, result } = found;
  const { word, tone, sentence } = STATES[status];
  return (
    <Page>
      <title>{t`Test sign-in to ${appName} · Orchestrate`}</title>
      <PageHeader
        title={t`Test sign-in to ${appName}`}
        description={t`Started on ${formatDateTime(startedAt)} with the settings saved at that time`}
        action={<BackButton appId={appId} />}
      />
      <Section title={t`Checks`} isFlush aside={<StatusBadge status={word} tone={tone} />}>
        <Text px="5" py="4" role="status">
          {sentence}
        </Text>
        {status === 'waiting' && (
          <Box px="5" pb="5">
            <Button variant="outline" size="sm" onClick={onReload}>
              {t`Check again`}
            </Button>
          </Box>
        )}
        {result && (
          <Box as="ol" listStyleType="none" aria-label={t`Checks`}>
            {result.checks.map((check) => (
              <CheckRow key={check.name} check={check} />
            ))}
          </Box>
        )}
      </Section>
      {result?.documents.map(({ name, language, text }) => (
        <AccordionSection key={name} title={name} hint={t`Decoded, without values that could be misused`} isOpenAtFirst>
          <RawText label={name} text={language === 'xml' ? indentXml(text) : text} />
        </AccordionSection>
      ))}
    </Page>
  );
}

function BackButton({ appId }: { appId: string }) {
  return (
    <Button asChild variant="outline">
      <Link to={paths.application(appId)}>{t`Back to the application`}</Link>
    </Button>
  );
}
