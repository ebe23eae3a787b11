import { Button, Table } from '@chakra-ui/react';
import { createIdpCertificate, deleteIdpCertificate, type IdpConfiguration, type ReplyOf } from '@orchestrate/shared';
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
type Reply = ReplyOf<typeof createIdpCertificate>;

interface IdpCertificatesProps {
  /** Newest first; the newest signs. */
  certificates: readonly Certificate[];
  onChange: (configuration: Reply) => void;
}

/**
 * The keys that sign SAML answers, and their rollover: first add a new one, then delete the old one once nobody needs
 * it.
 */
export function IdpCertificates({ certificates, onChange }: IdpCertificatesProps) {
  const [isRolling, setIsRolling] = useState(false);
  const [deleted, setDeleted] = useState<Certificate>();
  return (
    <Section
      title="SAML signing certificates"
      isFlush
      aside={
        <Button size="sm" variant="outline" onClick={() => setIsRolling(true)}>
          <RotateCw />
          New certificate
        </Button>
      }
    >
      {certificates.length > 0 ? (
        <CertificatesTable certificates={certificates} onDelete={setDeleted} />
      ) : (
        <EmptyState
          icon={FileKey2}
          title="No signing certificate yet"
          description="One is created with the first SAML application, or you can create it now."
        />
      )}
      <ConfirmWrite
        entry={createIdpCertificate}
        input={isRolling ? { body: {} } : undefined}
        onClose={() => setIsRolling(false)}
        onDone={onChange}
        done="New signing certificate created"
        title="Create a new signing certificate?"
        verb="Create certificate"
        consequences={[
          'Answers are signed with the new certificate from now on.',
          'The old ones stay in the metadata until they are deleted.',
          'Give the new certificate to service providers that do not read the metadata themselves.',
        ]}
      />
      <ConfirmWrite
        entry={deleteIdpCertificate}
        input={deleted && { params: { kid: deleted.kid } }}
        onClose={() => setDeleted(undefined)}
        onDone={onChange}
        done="Signing certificate deleted"
        title="Delete this certificate?"
        verb="Delete certificate"
        isDestructive
        consequences={['It is removed from the metadata.', 'This cannot be undone.']}
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
    <TableFrame label="Signing certificates" headings={['Certificate', 'Valid until', 'Fingerprint (SHA-256)', 'Use']}>
      {certificates.map((certificate, at) => (
        <Table.Row key={certificate.kid}>
          <Table.Cell fontWeight="medium">{certificate.subject}</Table.Cell>
          <Table.Cell whiteSpace="nowrap">
            <CertificateValidity certificate={certificate} />
          </Table.Cell>
          <Table.Cell textStyle="code" fontSize="xs" maxW="40" truncate>
            {certificate.fingerprint}
          </Table.Cell>
          <Table.Cell>
            <StatusBadge status={at === 0 ? 'Signs' : 'Still accepted'} tone={at === 0 ? 'success' : 'neutral'} />
          </Table.Cell>
          <Table.Cell textAlign="end" whiteSpace="nowrap">
            <CopyButton text={certificate.fingerprint} label="Copy fingerprint" />
            <ActionButton
              label="Delete certificate"
              disabledReason={at === 0 ? 'The certificate in use cannot be deleted' : undefined}
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
