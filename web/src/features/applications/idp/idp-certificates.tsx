import { Button, Table } from '@chakra-ui/react';
import { createIdpCertificate, deleteIdpCertificate, type IdpConfiguration, type ReplyOf } from '@orchestrate/shared';
import { FileKey2, RotateCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useWrite } from '../../../lib/api/use-endpoint.ts';
import { resultText } from '../../../lib/notices/result-text.ts';
import { toast } from '../../../lib/notices/toaster.ts';
import { ActionButton } from '../../../ui/action-button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Section } from '../../../ui/section.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
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
      <RollOverDialog isOpen={isRolling} onClose={() => setIsRolling(false)} onChange={onChange} />
      <DeleteDialog certificate={deleted} onClose={() => setDeleted(undefined)} onChange={onChange} />
    </Section>
  );
}

interface CertificatesTableProps {
  certificates: readonly Certificate[];
  onDelete: (certificate: Certificate) => void;
}

function CertificatesTable({ certificates, onDelete }: CertificatesTableProps) {
  return (
    <Table.ScrollArea>
      <Table.Root aria-label="Signing certificates">
        <Table.Header>
          <Table.Row>
            {['Certificate', 'Valid until', 'Fingerprint (SHA-256)', 'Use'].map((heading) => (
              <Table.ColumnHeader key={heading} scope="col">
                {heading}
              </Table.ColumnHeader>
            ))}
            <Table.ColumnHeader scope="col" textAlign="end">
              Actions
            </Table.ColumnHeader>
          </Table.Row>
        </Table.Header>
        <Table.Body>
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
        </Table.Body>
      </Table.Root>
    </Table.ScrollArea>
  );
}

interface RollOverDialogProps {
  isOpen: boolean;
  onClose: () => void;
  onChange: (configuration: Reply) => void;
}

function RollOverDialog({ isOpen, onClose, onChange }: RollOverDialogProps) {
  const { run, isPending, refusal, reset } = useWrite(createIdpCertificate, { invalidates: ['Applications'] });
  const confirm = async () => {
    try {
      onChange(await run({ body: {} }));
    } catch {
      return;
    }
    toast.success('New signing certificate created');
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      onExitComplete={reset}
      onConfirm={() => void confirm()}
      title="Create a new signing certificate?"
      verb="Create certificate"
      isPending={isPending}
      consequences={[
        'Answers are signed with the new certificate from now on.',
        'The old ones stay in the metadata until they are deleted.',
        'Give the new certificate to service providers that do not read the metadata themselves.',
      ]}
      error={refusal && resultText(refusal)}
    />
  );
}

interface DeleteDialogProps {
  certificate: Certificate | undefined;
  onClose: () => void;
  onChange: (configuration: Reply) => void;
}

function DeleteDialog({ certificate, onClose, onChange }: DeleteDialogProps) {
  const { run, isPending, refusal, reset } = useWrite(deleteIdpCertificate, { invalidates: ['Applications'] });
  const confirm = async () => {
    if (!certificate) return;
    try {
      onChange(await run({ params: { kid: certificate.kid } }));
    } catch {
      return;
    }
    toast.success('Signing certificate deleted');
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen={certificate !== undefined}
      onClose={onClose}
      onExitComplete={reset}
      onConfirm={() => void confirm()}
      title="Delete this certificate?"
      verb="Delete certificate"
      isDestructive
      isPending={isPending}
      consequences={['It is removed from the metadata.', 'This cannot be undone.']}
      error={refusal && resultText(refusal)}
    />
  );
}
