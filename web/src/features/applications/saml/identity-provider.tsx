import { Button, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { SamlConfiguration } from '@orchestrate/shared';
import { Download } from 'lucide-react';
import { saveFile } from '../../../lib/browser/save-file.ts';
import { inSentence } from '../../../lib/format/in-sentence.ts';
import { CodeDisplay } from '../../../ui/code-display.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { SecretField } from '../../../ui/secret-field.tsx';
import { Section } from '../../../ui/section.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { DownloadIdpMetadata } from './download-idp-metadata.tsx';
import { CertificateValidity } from './service-provider-preview.tsx';

type Provider = SamlConfiguration['identityProvider'];

interface IdentityProviderProps {
  appId: string;
  provider: Provider;
}

/** What the service provider needs to know about this portal. */
export function IdentityProvider({ appId, provider }: IdentityProviderProps) {
  const { entityId, singleSignOnUrl, singleLogoutUrl, metadataUrl, certificates } = provider;
  return (
    <Section title={t`Identity provider`} aside={<DownloadIdpMetadata appId={appId} />}>
      <Flex direction="column" gap="5" maxW="2xl">
        <Text color="fg.muted">{t`What the service provider needs to know about this portal.`}</Text>
        <SecretField label={t`Entity id`} value={entityId} isSecret={false} />
        <SecretField label={t`Single sign-on URL`} value={singleSignOnUrl} isSecret={false} />
        <SecretField label={t`Single logout URL`} value={singleLogoutUrl} isSecret={false} />
        <SecretField label={t`Metadata URL`} value={metadataUrl} isSecret={false} />
        <Flex direction="column" gap="3">
          <Text textStyle="sm" fontWeight="medium">
            {certificates.length === 1 ? t`Signing certificate` : t`Signing certificates`}
          </Text>
          {certificates.map((certificate, at) => (
            <SigningCertificate
              key={certificate.fingerprint}
              certificate={certificate}
              use={certificates.length === 1 ? undefined : at === 0 ? 'signs' : 'accepted'}
            />
          ))}
        </Flex>
      </Flex>
    </Section>
  );
}

const USES = {
  signs: { status: t`Signs`, tone: 'success' },
  accepted: { status: t`Still accepted`, tone: 'neutral' },
} as const;

interface SigningCertificateProps {
  certificate: Provider['certificates'][number];
  /** Absent where there is only one. */
  use: keyof typeof USES | undefined;
}

/** For service providers that do not read the metadata: the certificate as a file, and what to compare. */
function SigningCertificate({ certificate, use }: SigningCertificateProps) {
  const { subject, fingerprint, pem } = certificate;
  return (
    <Flex
      role="group"
      aria-label={use ? `${subject}, ${inSentence(USES[use].status)}` : subject}
      direction="column"
      gap="3"
      p="3"
      borderWidth="1px"
      borderRadius="l2"
    >
      <Flex align="center" gap="3" wrap="wrap">
        <Text fontWeight="medium" overflowWrap="anywhere">
          {subject}
        </Text>
        {use && <StatusBadge {...USES[use]} />}
        <Flex ms="auto" gap="1" align="center">
          <CopyButton text={pem} label={t`Copy certificate`} />
          <Button
            variant="outline"
            size="sm"
            onClick={() => saveFile('saml-idp-certificate.pem', 'application/x-pem-file', pem)}
          >
            <Download />
            {t`Download certificate`}
          </Button>
        </Flex>
      </Flex>
      <Flex gap="1.5" color="fg.muted" textStyle="sm" align="center" wrap="wrap">
        <Trans>
          Valid until <CertificateValidity certificate={certificate} />
        </Trans>
      </Flex>
      <Flex direction="column" gap="1.5" minW="0">
        <Text textStyle="xs" color="fg.muted">
          {t`Fingerprint (SHA-256)`}
        </Text>
        <CodeDisplay code={fingerprint} label={t`Fingerprint`} />
      </Flex>
    </Flex>
  );
}
