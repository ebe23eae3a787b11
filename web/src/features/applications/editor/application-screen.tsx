import { Box, Button, Flex, Skeleton } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { ApplicationDetail } from '@orchestrate/shared';
import { AppWindow } from 'lucide-react';
import { useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import { usePlaceName } from '../../../lib/address/place-names.ts';
import { paths } from '../../../paths.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { RefusalState } from '../../../ui/refusal-state.tsx';
import { DuplicateApp } from '../duplicate-app.tsx';
import { LdapTab } from '../network/ldap-tab.tsx';
import { RadiusTab } from '../network/radius-tab.tsx';
import { OidcTab } from '../oidc/oidc-tab.tsx';
import { SamlTab } from '../saml/saml-tab.tsx';
import { useApplication, useApplications } from '../use-applications.ts';
import { AppEditor } from './app-editor.tsx';
import { formOf } from './app-form.ts';
import { DeleteAppDialog } from './delete-app-dialog.tsx';
import { useUpdateApp } from './use-save-app.ts';

/** The settings of one application. */
export default function ApplicationScreen() {
  const { appId = '' } = useParams();
  const { data, refusal, refetch } = useApplication(appId);
  usePlaceName(paths.application(appId), data?.app.name);
  if (refusal?.resultName === 'ORG_APP_MISSING')
    return (
      <EmptyState
        icon={AppWindow}
        level="h1"
        title={t`This application does not exist`}
        description={t`It may have been deleted.`}
        action={
          <Button asChild variant="outline">
            <Link to={paths.applications}>{t`Back to applications`}</Link>
          </Button>
        }
      />
    );
  if (data) return <Editor app={data.app} version={data.etag} />;
  if (refusal) return <RefusalState level="h1" refusal={refusal} onRetry={refetch} />;
  return <EditorSkeleton />;
}

const texts = { saved: t`App settings updated successfully`, failed: t`Failed to update app settings` };

function Editor({ app, version }: { app: ApplicationDetail; version: string | undefined }) {
  const save = useUpdateApp(app);
  const [isDeleting, setIsDeleting] = useState(false);
  const [isDuplicating, setIsDuplicating] = useState(false);
  const isDeletable = useIsDeletable(app);
  return (
    <>
      <AppEditor
        appId={app.appId}
        type={app.integrationType}
        root={paths.application(app.appId)}
        initial={formOf(app)}
        version={version}
        save={save}
        pathAfter={() => paths.applications}
        texts={texts}
        configuration={configurationOf(app)}
        onDuplicate={() => setIsDuplicating(true)}
        onDelete={isDeletable ? () => setIsDeleting(true) : undefined}
      />
      <DeleteAppDialog app={app} isOpen={isDeleting} onClose={() => setIsDeleting(false)} />
      <DuplicateApp app={isDuplicating ? app : undefined} onClose={() => setIsDuplicating(false)} />
    </>
  );
}

/** An organisation keeps its only portal application: without it nobody could sign in. */
function useIsDeletable({ integrationType }: ApplicationDetail): boolean {
  const { data } = useApplications();
  if (integrationType !== 'portal') return true;
  return (data?.apps.filter((app) => app.integrationType === 'portal').length ?? 0) > 1;
}

function configurationOf(app: ApplicationDetail) {
  const { appId, name, oidcConfiguration, radiusConfiguration, ldapConfiguration } = app;
  if (oidcConfiguration) return <OidcTab appId={appId} name={name} configuration={oidcConfiguration} />;
  if (radiusConfiguration) return <RadiusTab appId={appId} configuration={radiusConfiguration} />;
  if (ldapConfiguration) return <LdapTab appId={appId} configuration={ldapConfiguration} />;
  return <SamlTab app={app} />;
}

/** Skeleton of the editor. */
export function EditorSkeleton() {
  return (
    <Flex direction="column" gap="6" role="status" aria-label={t`Loading application`}>
      <Flex gap="3" align="center">
        <Skeleton boxSize="9" borderRadius="l2" />
        <Skeleton h="6" w="56" />
      </Flex>
      <Flex gap="8">
        <Flex direction="column" gap="1" w="52" flexShrink="0">
          {['configuration', 'options', 'info'].map((tab) => (
            <Skeleton key={tab} h="10" borderRadius="l2" />
          ))}
        </Flex>
        <Box flex="1" h="96" borderWidth="1px" borderRadius="l3" bg="bg.panel" />
      </Flex>
    </Flex>
  );
}
