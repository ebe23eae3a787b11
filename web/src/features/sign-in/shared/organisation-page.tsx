import { Button } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { getOrgSettings, type OrgSettings } from '@orchestrate/shared';
import { TriangleAlert } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router-dom';
import { useRead } from '#lib/api/use-read.ts';
import { applyBrand } from '#lib/brand/brand.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { rememberOrganisation } from '#lib/session/session.ts';
import { paths } from '#paths.ts';
import { MessagePage } from '#ui/feedback/message-page.tsx';
import { PageSkeleton } from './page-skeleton.tsx';

/**
 * Loads the organisation for a screen shown before sign-in. Then applies the organisation's colour and makes the
 * browser remember it.
 */
function useOrganisation(orgId: string) {
  const { data, refusal, isValidating, refetch } = useRead(getOrgSettings, { query: { code: orgId } });

  useEffect(() => {
    if (!data) return;
    applyBrand(data.orgCode, data.color);
    rememberOrganisation(data.orgCode);
  }, [data]);

  // The schema rejects codes in an invalid format. To users, they are unknown organisations too.
  const isUnknown = refusal?.resultName === 'ORG_CODE_NOT_FOUND' || refusal?.resultName === 'INVALID_REQUEST';
  return { settings: data, isUnknown, refusal, isValidating, refetch };
}

interface OrganisationPageProps {
  /** Organisation code from the URL. */
  orgId: string;
  /** Error title if the organisation can't be loaded, e.g. 'The FAQ could not be loaded'. */
  notLoaded: string;
  /** Renders the screen once the organisation is loaded. */
  children: (settings: OrgSettings) => ReactNode;
}

/**
 * A screen shown before sign-in that needs its organisation's settings. Shows an error if the organisation doesn't
 * exist.
 */
export function OrganisationPage({ orgId, notLoaded, children }: OrganisationPageProps) {
  const { settings, isUnknown, refusal, isValidating, refetch } = useOrganisation(orgId);
  if (isUnknown) {
    return (
      <MessagePage
        icon={TriangleAlert}
        title={t`There is no organisation “${orgId}”`}
        action={
          <Button asChild variant="outline">
            <Link to={paths.home}>{t`Enter another code`}</Link>
          </Button>
        }
      >
        {t`Check the address for typos, or ask your administrator for the right link.`}
      </MessagePage>
    );
  }
  if (!settings && refusal) {
    return (
      <MessagePage
        icon={TriangleAlert}
        tone="danger"
        title={notLoaded}
        action={
          <Button variant="outline" loading={isValidating} loadingText={t`Retry`} onClick={() => void refetch()}>
            {t`Retry`}
          </Button>
        }
      >
        {resultText(refusal)}
      </MessagePage>
    );
  }
  if (!settings) return <PageSkeleton orgId={orgId} />;
  return children(settings);
}
