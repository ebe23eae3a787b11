import { Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { PageHeader } from '../../ui/page-header.tsx';
import { ExportSection } from './export-section.tsx';
import { ImportSection } from './import-section.tsx';

/** An organisation's configuration as a file, out and in. */
export default function ConfigurationScreen() {
  return (
    <Flex direction="column" gap="6" maxW="4xl">
      <title>{t`Configuration File · Orchestrate`}</title>
      <PageHeader
        title={t`Configuration File`}
        description={t`Settings, roles, emails, FAQ, applications and webhooks, to store with your code or to set up another organisation the same way.`}
      />
      <ExportSection />
      <ImportSection />
    </Flex>
  );
}
