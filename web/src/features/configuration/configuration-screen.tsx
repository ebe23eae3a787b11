import { Flex } from '@chakra-ui/react';
import { PageHeader } from '../../ui/page-header.tsx';
import { ExportSection } from './export-section.tsx';
import { ImportSection } from './import-section.tsx';

/** An organisation's configuration as a file, out and in. */
export default function ConfigurationScreen() {
  return (
    <Flex direction="column" gap="6" maxW="4xl">
      <title>Configuration File · Orchestrate</title>
      <PageHeader
        title="Configuration File"
        description="Settings, roles, mails and applications, to keep with your code, or to set up another organisation the same way."
      />
      <ExportSection />
      <ImportSection />
    </Flex>
  );
}
