import { t } from '@lingui/core/macro';
import type { ApplicationDetail } from '@orchestrate/shared';
import { Suspense } from 'react';
import { lazyPart } from '#lib/browser/lazy-part.ts';
import { useHasRoomForAside } from '#lib/browser/use-media.ts';
import { AccordionSection } from '#ui/list/accordion-section.tsx';
import { SkeletonRows } from '#ui/list/skeleton-rows.tsx';
import type { QuickStartsProps } from './quick-starts.tsx';

/** Returns the quick starts that suit an application, or undefined if none does. */
export function quickStartOf({
  oidcConfiguration,
  samlConfiguration,
}: ApplicationDetail): QuickStartsProps | undefined {
  if (samlConfiguration) return { protocol: 'saml', configuration: samlConfiguration };
  const clients = oidcConfiguration?.clients;
  const isServed =
    clients?.kind === 'web' &&
    clients.token_endpoint_auth_method !== 'private_key_jwt' &&
    clients.redirect_uris.length > 0;
  return oidcConfiguration && isServed ? { protocol: 'oidc', configuration: oidcConfiguration } : undefined;
}

const QuickStarts = lazyPart(() => import('./quick-starts.tsx'));

/**
 * Shows sample programs that sign users in to this application, loaded when the section is opened. On wide screens,
 * they are displayed next to the form instead.
 */
export function QuickStartSection(props: QuickStartsProps) {
  if (useHasRoomForAside()) return null;
  return (
    <AccordionSection title={t`Quick start`} hint={t`Sample code with this application's values`}>
      <Suspense fallback={<SkeletonRows label={t`Loading`} />}>
        <QuickStarts {...props} />
      </Suspense>
    </AccordionSection>
  );
}
