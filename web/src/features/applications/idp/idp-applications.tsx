import { Link, Table } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { IdpConfiguration } from '@orchestrate/shared';
import { FileKey2 } from 'lucide-react';
import { Link as RouterLink } from 'react-router-dom';
import { paths } from '../../../paths.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Section } from '../../../ui/section.tsx';
import { TableFrame } from '../../../ui/table-frame.tsx';
import { DownloadIdpMetadata } from '../saml/download-idp-metadata.tsx';

type SamlApplication = IdpConfiguration['applications'][number];

/** The SAML applications; the organisation is a separate identity provider for each. */
export function IdpApplications({ applications }: { applications: readonly SamlApplication[] }) {
  return (
    <Section title={t`SAML applications`} isFlush>
      {applications.length > 0 ? (
        <ApplicationsTable applications={applications} />
      ) : (
        <EmptyState
          icon={FileKey2}
          title={t`No SAML applications`}
          description={t`Every SAML application you add has its own metadata, which you can download here.`}
        />
      )}
    </Section>
  );
}

function ApplicationsTable({ applications }: { applications: readonly SamlApplication[] }) {
  return (
    <TableFrame label={t`SAML applications`} headings={[t`Application`, t`Entity id`]}>
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
            <CopyButton text={entityId} label={t`Copy the entity id for ${name}`} />
            <DownloadIdpMetadata appId={appId} />
          </Table.Cell>
        </Table.Row>
      ))}
    </TableFrame>
  );
}
