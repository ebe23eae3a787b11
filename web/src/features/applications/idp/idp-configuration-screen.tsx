import { Flex, Skeleton } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { getIdpConfiguration } from '@orchestrate/shared';
import { useRead } from '../../../lib/api/use-read.ts';
import { PageHeader } from '../../../ui/page-header.tsx';
import { RefusalState } from '../../../ui/refusal-state.tsx';
import { SecretField } from '../../../ui/secret-field.tsx';
import { Section } from '../../../ui/section.tsx';
import { SkeletonRows } from '../../../ui/skeleton-rows.tsx';
import { IdpApplications } from './idp-applications.tsx';
import { IdpCertificates } from './idp-certificates.tsx';
import { SigningKeys } from './signing-keys.tsx';

/** The organisation as an identity provider for its applications. */
export default function IdpConfigurationScreen() {
  return (
    <Flex direction="column" gap="6">
      <title>{t`IDP Configuration · Orchestrate`}</title>
      <PageHeader
        title={t`IDP Configuration`}
        description={t`What applications need to know about your organisation, and the keys that sign its answers.`}
      />
      <Content />
    </Flex>
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
        <Flex direction="column" gap="5" maxW="2xl">
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
        <Flex direction="column" gap="5" maxW="2xl">
          {['issuer', 'document'].map((field) => (
            <Flex key={field} direction="column" gap="3">
              <Skeleton h="3.5" w="28" />
              <Skeleton h="10" borderRadius="l2" />
            </Flex>
          ))}
        </Flex>
      </Section>
      <Section title={t`OpenID Connect signing keys`} isFlush>
        <SkeletonRows rows={2} label={t`Loading the identity provider`} />
      </Section>
    </>
  );
}
