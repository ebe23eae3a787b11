import { Flex, Text } from '@chakra-ui/react';
import type { ApplicationDetail } from '@orchestrate/shared';
import { SecretField } from '../../../ui/secret-field.tsx';
import { Section } from '../../../ui/section.tsx';
import { AppPreviewSection } from '../try/app-preview-section.tsx';
import { DownloadIdpMetadata } from './download-idp-metadata.tsx';
import { SamlAttributes } from './saml-attributes.tsx';
import { SamlNameId } from './saml-name-id.tsx';
import { ServiceProviderSection } from './service-provider-section.tsx';

/** What a SAML service provider and the portal need to know of each other. `app`: absent in create mode. */
export function SamlTab({ app }: { app?: ApplicationDetail }) {
  return (
    <Flex direction="column" gap="5">
      {app?.samlConfiguration && <IdentityProvider appId={app.appId} {...app.samlConfiguration.identityProvider} />}
      <ServiceProviderSection appId={app?.appId} />
      <SamlNameId />
      <SamlAttributes />
      {app && <AppPreviewSection appId={app.appId} name={app.name} />}
    </Flex>
  );
}

interface IdentityProviderProps {
  appId: string;
  entityId: string;
  singleSignOnUrl: string;
  metadataUrl: string;
}

function IdentityProvider({ appId, entityId, singleSignOnUrl, metadataUrl }: IdentityProviderProps) {
  return (
    <Section title="Identity provider" aside={<DownloadIdpMetadata appId={appId} />}>
      <Flex direction="column" gap="5" maxW="2xl">
        <Text color="fg.muted">What the service provider needs to know about this portal.</Text>
        <SecretField label="Entity id" value={entityId} isSecret={false} />
        <SecretField label="Single sign-on URL" value={singleSignOnUrl} isSecret={false} />
        <SecretField label="Metadata URL" value={metadataUrl} isSecret={false} />
      </Flex>
    </Section>
  );
}
