import { Flex, Skeleton } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { FaqCategory } from '@orchestrate/shared';
import type { ApiRefusal } from '../../lib/api/api-refusal.ts';
import { RefusalState } from '../../ui/refusal-state.tsx';
import { Section } from '../../ui/section.tsx';
import { SkeletonRows } from '../../ui/skeleton-rows.tsx';
import { FaqBrowser } from './faq-browser.tsx';

interface FaqContentProps {
  data: { categories: FaqCategory[] } | undefined;
  refusal: ApiRefusal | undefined;
  onRetry: () => void;
}

/** The questions and answers, or why there are none. */
export function FaqContent({ data, refusal, onRetry }: FaqContentProps) {
  if (data) return <FaqBrowser categories={data.categories} />;
  if (refusal)
    return (
      <Section isFlush>
        <RefusalState level="h2" refusal={refusal} onRetry={onRetry} />
      </Section>
    );
  return (
    <Flex direction="column" gap="8">
      <Skeleton h="9" />
      <Section isFlush>
        <SkeletonRows rows={6} label={t`Loading questions`} />
      </Section>
    </Flex>
  );
}
