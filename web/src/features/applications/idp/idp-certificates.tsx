import { Button, Table } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { createIdpCertificate, deleteIdpCertificate, type IdpConfiguration } from '@orchestrate/shared';
import { FileKey2, RotateCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ActionButton } from '../../../ui/action-button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Section } from '../../../ui/section.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { TableFrame } from '../../../ui/table-frame.tsx';
import { ConfirmWrite } from '../confirm-write.tsx';
import { CertificateValidity } from '../saml/service-provider-preview.tsx';

type Certificate = IdpConfiguration['certificates'][number];

interface IdpCertificatesProps {
  /** Newest first; the newest signs. */
  certificates: readonly Certificate[];
}

/**
 * The keys that sign SAML responses, and their rollover: first add a new one, then delete the old one once nobody needs
 * it.
 */
export function IdpCertificates({ certificates }: IdpCertificatesProps) {
  const [isRolling, setIsRolling] = useState(false);
  const [deleted, setDeleted] = useState<Certificate>();
  return (
    <Section
      title={t`SAML signing certificates`}
      isFlush
      aside={
        <Button size="sm" variant="outline" onClick={() => setIsRolling(true)}>
          <RotateCw />
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
          description={t`One is created with the first SAML application, or you can create it now.`}
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
          t`Answers are signed with the new certificate from now on.`,
          t`The old ones stay in the metadata until they are deleted.`,
          t`Pass the new certificate to service providers that don't read the metadata automatically.`,
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
        consequences={[t`It is removed from the metadata.`, t`This cannot be undone.`]}
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
      headings={[t`Certificate`, t`Valid until`, t`Fingerprint (SHA-256)`, t`Use`]}
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
            <StatusBadge status={at === 0 ? t`Signs` : t`Still accepted`} tone={at === 0 ? 'success' : 'neutral'} />
          </Table.Cell>
          <Table.Cell textAlign="end" whiteSpace="nowrap">
            <CopyButton text={certificate.fingerprint} label={t`Copy fingerprint`} />
            <ActionButton
              label={t`Delete certificate`}
              disabledReason={at === 0 ? t`The certificate in use cannot be deleted` : undefined}
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
