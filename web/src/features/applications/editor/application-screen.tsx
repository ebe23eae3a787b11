import { Box, Button, Flex, Input, Skeleton, Spacer } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import {
  type Application,
  type ApplicationDetail,
  deleteApp,
  hasSignIn,
  type LdapConfiguration,
} from '@orchestrate/shared';
import { AppWindow } from 'lucide-react';
import { useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import { usePathName } from '#lib/address/path-names.ts';
import { useGuardedNavigate } from '#lib/address/use-next-step.ts';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { useInvalidate, useWrite } from '#lib/api/use-write.ts';
import { lazyPart } from '#lib/browser/lazy-part.ts';
import { useHasRoomForAside } from '#lib/browser/use-media.ts';
import { leaveWithoutAsking } from '#lib/leaving/navigation-guard.tsx';
import { reasonOf, resultText } from '#lib/notices/result-text.ts';
import { toast } from '#lib/notices/toaster.ts';
import { useCan } from '#lib/session/session.ts';
import { paths } from '#paths.ts';
import { ConfirmDialog } from '#ui/dialog/confirm-dialog.tsx';
import { SettingsSkeleton } from '#ui/editing/settings-skeleton.tsx';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { SecretField } from '#ui/form/secret-field.tsx';
import { EmptyState } from '#ui/list/empty-state.tsx';
import { Section } from '#ui/list/section.tsx';
import { DuplicateApp } from '../duplicate-app.tsx';
import { OidcTab } from '../oidc/oidc-tab.tsx';
import { quickStartOf } from '../quick-starts/quick-start-section.tsx';
import { RadiusTab } from '../radius/radius-tab.tsx';
import { ReplaceSecret } from '../replace-secret.tsx';
import { SamlTab } from '../saml/saml-tab.tsx';
import { useApplication, useApplications } from '../use-applications.ts';
import { AppEditor } from './app-editor.tsx';
import { formOf } from './app-form.ts';
import { useUpdateApp } from './use-save-app.ts';

/** Displays connection settings for an LDAP client. */
function LdapTab({ appId, configuration }: { appId: string; configuration: LdapConfiguration }) {
  const { host, port, tlsPort, baseDn, bindDn, secret } = configuration;
  return (
    <Flex direction="column" gap="5">
      {port === null && tlsPort === null && (
        <AlertLine tone="warning">
          {t`LDAP is off. To turn it on, start the portal with LDAP_PORT, e.g. 1389, or LDAPS_PORT.`}
        </AlertLine>
      )}
      <Section
        title={t`Client`}
        description={t`Enter these values in your client.`}
        aside={
          <ReplaceSecret appId={appId} done={t`New bind password created`} title={t`Regenerate the bind password?`} />
        }
      >
        <Flex direction="column" gap="5" maxW="fields">
          {port !== null && <SecretField label={t`Server`} value={`ldap://${host}:${port}`} isSecret={false} />}
          {tlsPort !== null && (
            <SecretField
              label={t`Server (TLS)`}
              value={`ldaps://${host}:${tlsPort}`}
              isSecret={false}
              help={t`The client must trust the portal's certificate authority. The portal prints the path of the CA file at startup.`}
            />
          )}
          <SecretField
            label={t`Base DN`}
            value={baseDn}
            isSecret={false}
            help={
              <>
                <Entries what={t`People:`} dn={`uid=<email>,ou=people,${baseDn}`} />
                <Entries what={t`Roles and groups, with their members:`} dn={`cn=<name>,ou=groups,${baseDn}`} />
              </>
            }
          />
          <SecretField
            label={t`Bind DN`}
            value={bindDn}
            isSecret={false}
            help={t`The account the client uses to search the directory.`}
          />
          <SecretField
            label={t`Bind password`}
            value={secret}
            help={t`People can enter any password, and then approve on their device. Set the client's timeout to at least a minute.`}
          />
        </Flex>
      </Section>
    </Flex>
  );
}

/** Shows where entries are located in the directory. A distinguished name wraps only if it doesn't fit on one line. */
function Entries({ what, dn }: { what: string; dn: string }) {
  return (
    <Box as="span" display="block">
      {what}{' '}
      <Box as="span" display="inline-block" maxW="full" overflowWrap="anywhere">
        {dn}
      </Box>
    </Box>
  );
}

interface DeleteAppDialogProps {
  app: Pick<Application, 'appId' | 'orgCode' | 'name'>;
  isOpen: boolean;
  onClose: () => void;
}

/** A confirmation dialog that requires typing the application's name before deleting it. */
function DeleteAppDialog({ app, isOpen, onClose }: DeleteAppDialogProps) {
  const { appId, orgCode, name } = app;
  const goToNextStep = useGuardedNavigate(paths.application(appId));
  const invalidate = useInvalidate();
  const [typed, setTyped] = useState('');
  const { run, isPending, refusal, reset } = useWrite(deleteApp);

  const confirm = async () => {
    try {
      await run({ params: { orgCode, appId } });
    } catch (failure) {
      if (!(failure instanceof ApiRefusal && failure.status === 401))
        toast.error(t`Couldn't delete the application`, reasonOf(failure));
      return;
    }
    toast.success(t`Application deleted`);
    leaveWithoutAsking(() => goToNextStep(paths.applications));
    // Don't refetch the application itself. Its screen stays mounted briefly and would request the deleted
    // application.
    await invalidate('Application List');
  };

  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      onExitComplete={() => {
        setTyped('');
        reset();
      }}
      onConfirm={() => void confirm()}
      title={t`Delete ${name}?`}
      verb={t`Delete app`}
      isDestructive
      isPending={isPending}
      condition={
        <FormField label={t`Type ${name} to confirm`}>
          <Input
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            autoComplete="off"
            spellCheck={false}
          />
        </FormField>
      }
      canConfirm={typed.trim() === name}
      consequences={[
        t`No one will be able to sign in to this application.`,
        t`Its client secrets and configuration are removed immediately.`,
        t`This can't be undone.`,
      ]}
      error={refusal && resultText(refusal)}
    />
  );
}

/** Edits one application's settings. */
export default function ApplicationScreen() {
  const { appId = '' } = useParams();
  const { data, refusal, refetch } = useApplication(appId);
  usePathName(paths.application(appId), data?.app.name);
  if (refusal?.resultName === 'ORG_APP_MISSING')
    return (
      <EmptyState
        icon={AppWindow}
        level="h1"
        title={t`This application doesn't exist`}
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

const EditorAside = lazyPart(() => import('./editor-aside.tsx'));

const texts = { saved: t`App settings saved`, failed: t`Failed to update app settings` };

function Editor({ app, version }: { app: ApplicationDetail; version: string | undefined }) {
  const save = useUpdateApp(app);
  const [isDeleting, setIsDeleting] = useState(false);
  const [isDuplicating, setIsDuplicating] = useState(false);
  const isDeletable = useIsDeletable(app);
  const hasAside = useHasSignIns(app) || quickStartOf(app) !== undefined;
  return (
    <>
      <AppEditor
        appId={app.appId}
        type={app.integrationType}
        logo={app.logo}
        root={paths.application(app.appId)}
        initial={formOf(app)}
        version={version}
        save={save}
        pathAfter={() => paths.applications}
        texts={texts}
        configuration={configurationOf(app)}
        {...(hasAside && {
          aside: (hasQuickStart) => <EditorAside app={app} hasQuickStart={hasQuickStart} />,
        })}
        onDuplicate={() => setIsDuplicating(true)}
        onDelete={isDeletable ? () => setIsDeleting(true) : undefined}
      />
      <DeleteAppDialog app={app} isOpen={isDeleting} onClose={() => setIsDeleting(false)} />
      <DuplicateApp app={isDuplicating ? app : undefined} onClose={() => setIsDuplicating(false)} />
    </>
  );
}

/** Returns true if the user can see the application's sign-ins, and it has any. Service clients have none. */
function useHasSignIns({ oidcConfiguration }: ApplicationDetail): boolean {
  const maySee = useCan('SESSION_MANAGEMENT');
  return maySee && (!oidcConfiguration || hasSignIn(oidcConfiguration.clients.kind));
}

/**
 * Returns true if the application can be deleted. An organisation can't delete its only portal application, because
 * no one could sign in without it.
 */
function useIsDeletable({ integrationType }: ApplicationDetail): boolean {
  const { data } = useApplications();
  if (integrationType !== 'portal') return true;
  return (data?.apps.filter((app) => app.integrationType === 'portal').length ?? 0) > 1;
}

function configurationOf(app: ApplicationDetail) {
  const { appId, oidcConfiguration, radiusConfiguration, ldapConfiguration } = app;
  if (oidcConfiguration) return <OidcTab app={app} configuration={oidcConfiguration} />;
  if (radiusConfiguration) return <RadiusTab appId={appId} configuration={radiusConfiguration} />;
  if (ldapConfiguration) return <LdapTab appId={appId} configuration={ldapConfiguration} />;
  return <SamlTab app={app} />;
}

/** Placeholder with the shape of the editor: header, side tabs, two cards and, if there is room, the column beside them. */
export function EditorSkeleton() {
  const isBeside = useHasRoomForAside();
  return (
    <Flex direction="column" gap="6" role="status" aria-label={t`Loading application`}>
      <Flex gap="3" align="center" minH="9">
        <Skeleton boxSize="9" borderRadius="l2" />
        <Skeleton boxSize="8" borderRadius="l2" />
        <Skeleton h="6" w="56" />
        <Spacer />
        <Skeleton h="9" w="28" borderRadius="l2" hideBelow="xs" />
        <Skeleton h="9" w="32" borderRadius="l2" hideBelow="xs" />
      </Flex>
      <Flex direction={{ base: 'column', sm: 'row' }} gap={{ base: '5', sm: '8' }}>
        <Flex direction="column" gap="1" w="52" flexShrink="0" hideBelow="sm">
          {['28', '24', '16', '24', '20', '16'].map((width, tab) => (
            <Flex key={tab} align="center" h="10" px="3" borderRadius="l2" bg={tab === 0 ? 'bg.muted' : undefined}>
              <Skeleton h="3.5" w={width} />
            </Flex>
          ))}
        </Flex>
        <Box flex="1" minW="0">
          <SettingsSkeleton
            cards={[
              { kind: 'fields', count: 4, isDescribed: true },
              { kind: 'fields', count: 2, isDescribed: true },
            ]}
          />
        </Box>
        {isBeside && (
          <Box w="22.5rem" flexShrink="0">
            <SettingsSkeleton
              cards={[
                { kind: 'fields', count: 3 },
                { kind: 'fields', count: 2 },
              ]}
            />
          </Box>
        )}
      </Flex>
    </Flex>
  );
}
