import { t } from '@lingui/core/macro';
import { getFaq } from '@orchestrate/shared';
import { useRead } from '#lib/api/use-read.ts';
import { Page, PageHeader } from '#ui/text/page-header.tsx';
import { FaqContent } from './faq-content.tsx';

/** Shows the FAQ of the signed-in user's organisation. */
export default function FaqScreen() {
  const { data, refusal, refetch } = useRead(getFaq, {});
  return (
    <Page width="text">
      <title>{t`FAQ · Orchestrate`}</title>
      <PageHeader title={t`FAQ`} description={t`Answers to the most common questions in your organisation.`} />
      <FaqContent data={data} refusal={refusal} onRetry={() => void refetch()} />
    </Page>
  );
}
