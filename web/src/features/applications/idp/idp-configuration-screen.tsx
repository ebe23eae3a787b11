import { Button, Flex, Link, Skeleton, Table } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import {
  createIdpCertificate,
  deleteIdpCertificate,
  getIdpConfiguration,
  type IdpConfiguration,
} from '@orchestrate/shared';
import { FileKey2, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { useRead } from '#lib/api/use-read.ts';
import { paths } from '#paths.ts';
import { ActionButton } from '#ui/feedback/action-button.tsx';
import { CopyButton } from '#ui/feedback/copy-button.tsx';
import { RefusalState } from '#ui/feedback/refusal-state.tsx';
import { StatusBadge } from '#ui/feedback/status-badge.tsx';
import { SecretField } from '#ui/form/secret-field.tsx';
import { EmptyState } from '#ui/list/empty-state.tsx';
import { Section } from '#ui/list/section.tsx';
import { SkeletonRows } from '#ui/list/skeleton-rows.tsx';
import { TableFrame } from '#ui/list/table-frame.tsx';
import { Page, PageHeader } from '#ui/text/page-header.tsx';
import { ConfirmWrite } from '../confirm-write.tsx';
import { DownloadIdpMetadata } from '../saml/download-idp-metadata.tsx';
import { CertificateValidity } from '../saml/service-provider-preview.tsx';
import { SigningKeys } from './signing-keys.tsx';

type Certificate = IdpConfiguration['certificates'][number];

interface IdpCertificatesProps {
  /** Certificates, newest first. The newest is used for signing. */
  certificates: readonly Certificate[];
}

/**
 * Manages the certificates that sign SAML responses. To roll over, add a new certificate, and delete the old one once
 * no service provider uses it.
 */
function IdpCertificates({ certificates }: IdpCertificatesProps) {
  const [isRolling, setIsRolling] = useState(false);
  const [deleted, setDeleted] = useState<Certificate>();
  return (
    <Section
      title={t`SAML signing certificates`}
      isFlush
      aside={
        <Button size="sm" variant="outline" onClick={() => setIsRolling(true)}>
          <Plus />
          {t`New certificate`}
        </Button>
      }
    >
      {certificates.length > 0 ? (
        <CertificatesTable certificates={certificates} onDelete={setDeleted} />
      ) : (
        <EmptyState
          icon={FileKey2}
          title={t`No signing certificate yet`}
          description={t`The first SAML application creates a certificate, or you can create one now.`}
        />
      )}
      <ConfirmWrite
        entry={createIdpCertificate}
        input={isRolling ? { body: {} } : undefined}
        onClose={() => setIsRolling(false)}
        done={t`New signing certificate created`}
        title={t`Create a new signing certificate?`}
        verb={t`Create certificate`}
        consequences={[
          t`The portal immediately starts signing responses with the new certificate.`,
          t`Old certificates stay in the metadata until you delete them.`,
          t`Give the new certificate to service providers that don't read the metadata automatically.`,
        ]}
      />
      <ConfirmWrite
        entry={deleteIdpCertificate}
        input={deleted && { params: { kid: deleted.kid } }}
        onClose={() => setDeleted(undefined)}
        done={t`Signing certificate deleted`}
        title={t`Delete this certificate?`}
        verb={t`Delete certificate`}
        isDestructive
        consequences={[t`The certificate is removed from the metadata.`, t`This can't be undone.`]}
      />
    </Section>
  );
}

interface CertificatesTableProps {
  certificates: readonly Certificate[];
  onDelete: (certificate: Certificate) => void;
}

function CertificatesTable({ certificates, onDelete }: CertificatesTableProps) {
  return (
    <TableFrame
      label={t`Signing certificates`}
      headings={[t`Certificate`, t`Valid until`, t`Fingerprint (SHA-256)`, t`Usage`]}
    >
      {certificates.map((certificate, at) => (
        <Table.Row key={certificate.kid}>
          <Table.Cell fontWeight="medium">{certificate.subject}</Table.Cell>
          <Table.Cell whiteSpace="nowrap">
            <CertificateValidity certificate={certificate} />
          </Table.Cell>
          <Table.Cell textStyle="code" fontSize="xs" maxW="32" truncate>
            {certificate.fingerprint}
          </Table.Cell>
          <Table.Cell>
            <StatusBadge status={at === 0 ? t`In use` : t`Still accepted`} tone={at === 0 ? 'success' : 'neutral'} />
          </Table.Cell>
          <Table.Cell textAlign="end" whiteSpace="nowrap">
            <CopyButton text={certificate.fingerprint} label={t`Copy fingerprint`} />
            <ActionButton
              label={t`Delete certificate`}
              disabledReason={at === 0 ? t`The certificate in use can't be deleted` : undefined}
              onClick={() => onDelete(certificate)}
            >
              <Trash2 />
            </ActionButton>
          </Table.Cell>
        </Table.Row>
      ))}
    </TableFrame>
  );
}

type SamlApplication = IdpConfiguration['applications'][number];

/** Lists the SAML applications. The organisation is a separate identity provider for each application. */
function IdpApplications({ applications }: { applications: readonly SamlApplication[] }) {
  return (
    <Section title={t`SAML applications`} isFlush>
      {applications.length > 0 ? (
        <ApplicationsTable applications={applications} />
      ) : (
        <EmptyState
          icon={FileKey2}
          title={t`No SAML applications yet`}
          description={t`Each SAML application you add has its own metadata, which you can download here.`}
        />
      )}
    </Section>
  );
}

function ApplicationsTable({ applications }: { applications: readonly SamlApplication[] }) {
  return (
    <TableFrame label={t`SAML applications`} headings={[t`Application`, t`Entity ID`]}>
      {applications.map(({ appId, name, entityId }) => (
        <Table.Row key={appId}>
          <Table.Cell fontWeight="medium" whiteSpace="nowrap">
            <Link asChild>
              <RouterLink to={paths.application(appId)}>{name}</RouterLink>
            </Link>
          </Table.Cell>
          <Table.Cell color="fg.muted" overflowWrap="anywhere">
            {entityId}
          </Table.Cell>
          <Table.Cell textAlign="end" whiteSpace="nowrap">
            <CopyButton text={entityId} label={t`Copy the entity ID for ${name}`} />
            <DownloadIdpMetadata appId={appId} />
          </Table.Cell>
        </Table.Row>
      ))}
    </TableFrame>
  );
}

/** Displays the organisation's configuration as an identity provider. */
export default function IdpConfigurationScreen() {
  return (
    <Page>
      <title>{t`IDP Configuration · Orchestrate`}</title>
      <PageHeader
        title={t`IDP Configuration`}
        description={t`The settings that applications need to connect to your organisation, and the keys that sign its responses.`}
      />
      <Content />
    </Page>
  );
}

function Content() {
  const { data, refusal, refetch } = useRead(getIdpConfiguration, {});
  if (refusal && !data)
    return (
      <Section>
        <RefusalState level="h2" refusal={refusal} onRetry={refetch} />
      </Section>
    );
  if (!data) return <ContentSkeleton />;
  return (
    <>
      <Section title={t`OpenID Connect`}>
        <Flex direction="column" gap="5">
          <SecretField label={t`Issuer`} value={data.issuer} isSecret={false} />
          <SecretField label={t`Discovery document`} value={data.discoveryUrl} isSecret={false} />
        </Flex>
      </Section>
      <SigningKeys keys={data.signingKeys} />
      <IdpCertificates certificates={data.certificates} />
      <IdpApplications applications={data.applications} />
    </>
  );
}

function ContentSkeleton() {
  return (
    <>
      <Section title={t`OpenID Connect`}>
        <Flex direction="column" gap="5">
          {['issuer', 'document'].map((field) => (
            <Flex key={field} direction="column" gap="3">
              <Skeleton h="3.5" w="28" />
              <Skeleton h="10" borderRadius="l2" />
            </Flex>
          ))}
        </Flex>
      </Section>
      <Section id="signing-keys" title={t`OpenID Connect signing keys`} isFlush>
        <SkeletonRows rows={2} label={t`Loading identity provider`} />
      </Section>
    </>
  );
}
