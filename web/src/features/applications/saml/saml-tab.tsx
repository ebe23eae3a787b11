import { Flex } from '@chakra-ui/react';
import type { ApplicationDetail } from '@orchestrate/shared';
import { QuickStartSection } from '../quick-starts/quick-start-section.tsx';
import { AppPreviewSection } from '../try/app-preview-section.tsx';
import { IdentityProvider } from './identity-provider.tsx';
import { SamlAttributes } from './saml-attributes.tsx';
import { SamlNameId } from './saml-name-id.tsx';
import { ServiceProviderSection } from './service-provider-section.tsx';

/** What a SAML service provider and the portal need to know of each other. `app`: absent in create mode. */
export function SamlTab({ app }: { app?: ApplicationDetail }) {
  return (
    <Flex direction="column" gap="5">
      {app?.samlConfiguration && (
        <>
          <IdentityProvider appId={app.appId} provider={app.samlConfiguration.identityProvider} />
          <QuickStartSection protocol="saml" configuration={app.samlConfiguration} />
        </>
      )}
      <ServiceProviderSection appId={app?.appId} />
      <SamlNameId />
      <SamlAttributes />
      {app && <AppPreviewSection appId={app.appId} name={app.name} />}
    </Flex>
  );
}
