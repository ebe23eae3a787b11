import { Button } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { getIdpMetadata } from '@orchestrate/shared';
import { Download } from 'lucide-react';
import { logQuietly } from '#adapters/browser.ts';
import { fetchFile, saveFile } from '#lib/api/files.ts';
import { useOrgCode } from '../use-applications.ts';

/** Downloads the portal's metadata for a service provider. A failure is only logged (spec 2 §8). */
export function DownloadIdpMetadata({ appId }: { appId: string }) {
  const orgCode = useOrgCode();
  const download = async () => {
    try {
      const xml = await fetchFile(getIdpMetadata, { query: { orgCode, appId, download: 'true' } });
      saveFile('saml-idp-metadata.xml', 'application/xml', xml);
    } catch (failure) {
      logQuietly('Failed to download IDP metadata', failure);
    }
  };
  return (
    <Button variant="outline" size="sm" onClick={() => void download()}>
      <Download />
      {t`Download IDP metadata`}
    </Button>
  );
}
