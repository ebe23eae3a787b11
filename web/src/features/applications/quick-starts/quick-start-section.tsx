import { t } from '@lingui/core/macro';
import { Suspense } from 'react';
import { lazyPart } from '#lib/browser/lazy-part.ts';
import { AccordionSection } from '#ui/list/accordion-section.tsx';
import { SkeletonRows } from '#ui/list/skeleton-rows.tsx';
import type { QuickStartsProps } from './quick-starts.tsx';

const QuickStarts = lazyPart(() => import('./quick-starts.tsx'));

/** Shows sample programs that sign users in to this application, loaded when the section is opened. */
export function QuickStartSection(props: QuickStartsProps) {
  return (
    <AccordionSection title={t`Quick start`} hint={t`Sample code with this application's values`}>
      <Suspense fallback={<SkeletonRows label={t`Loading`} />}>
        <QuickStarts {...props} />
      </Suspense>
    </AccordionSection>
  );
}
