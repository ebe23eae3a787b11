import { Button, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { exportConfiguration } from '@orchestrate/shared';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { fetchFile, saveFile } from '#lib/api/files.ts';
import { toastRefusal } from '#lib/notices/show-refusal.ts';
import { useSession } from '#lib/session/session.ts';
import { Section } from '#ui/list/section.tsx';
import { Page, PageHeader } from '#ui/text/page-header.tsx';
import { ImportSection } from './import-section.tsx';

const FORMATS = [
  { format: 'yaml', label: t`Download YAML` },
  { format: 'json', label: t`Download JSON` },
] as const;
type Format = (typeof FORMATS)[number]['format'];

/** Downloads the organisation's configuration as a YAML or JSON file. */
function ExportSection() {
  const orgCode = useSession()?.orgId ?? '';
  const [pending, setPending] = useState<Format>();
  const save = async (format: Format) => {
    setPending(format);
    try {
      const file = await fetchFile(exportConfiguration, { query: { format } });
      saveFile(`configuration-${orgCode}.${format}`, `application/${format}`, file);
    } catch (failure) {
      toastRefusal(failure);
    } finally {
      setPending(undefined);
    }
  };
  return (
    <Section isBeside title={t`Export`} description={t`Download the settings as a file.`}>
      <Flex direction="column" gap="4" align="start">
        <Text color="fg.muted">
          {t`The file contains the name, branding, login options, security, roles, emails, FAQ, APIs, applications and webhooks. It doesn't contain people, groups, secrets, keys, provisioning or other identity providers.`}
        </Text>
        <Flex gap="2.5" wrap="wrap">
          {FORMATS.map(({ format, label }) => (
            <Button
              key={format}
              variant="outline"
              loading={pending === format}
              loadingText={label}
              disabled={pending !== undefined}
              onClick={() => void save(format)}
            >
              <Download aria-hidden />
              {label}
            </Button>
          ))}
        </Flex>
      </Flex>
    </Section>
  );
}

/** Exports and imports an organisation's configuration as a file. */
export default function ConfigurationScreen() {
  return (
    <Page width="text">
      <title>{t`Configuration File · Orchestrate`}</title>
      <PageHeader
        title={t`Configuration File`}
        description={t`Keep your settings, roles, emails, FAQ, applications and webhooks in one file. Store it with your code, or use it to set up another organisation.`}
      />
      <ExportSection />
      <ImportSection />
    </Page>
  );
}
