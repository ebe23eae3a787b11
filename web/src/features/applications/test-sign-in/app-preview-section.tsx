import { Skeleton } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Suspense } from 'react';
import { lazyPart } from '#lib/browser/lazy-part.ts';
import { AccordionSection } from '#ui/list/accordion-section.tsx';

const AppPreview = lazyPart(() => import('./app-preview.tsx'));

interface AppPreviewSectionProps {
  appId: string;
  name: string;
}

/** Previews a member's data as it would be sent to the application, including unsaved changes. */
export function AppPreviewSection({ appId, name }: AppPreviewSectionProps) {
  return (
    <AccordionSection title={t`Data sent to ${name}`} hint={t`A preview for a member of your choice`}>
      <Suspense fallback={<Skeleton h="48" borderRadius="l2" role="status" aria-label={t`Loading preview`} />}>
        <AppPreview appId={appId} />
      </Suspense>
    </AccordionSection>
  );
}
