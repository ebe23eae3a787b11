import { Box, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { OidcConfiguration, SamlConfiguration } from '@orchestrate/shared';
import { oidcQuickStarts, type QuickStart, SECRET_VARIABLE, samlQuickStarts } from '@orchestrate/shared/quick-starts';
import { useState } from 'react';
import { SecretField } from '#ui/form/secret-field.tsx';
import { FilterChips } from '#ui/list/filter-chips.tsx';
import { CodeDisplay } from '#ui/text/code-display.tsx';
import { RawText } from '#ui/text/raw-text.tsx';
import { translateShared } from '#words/words.ts';

export type QuickStartsProps =
  | { protocol: 'oidc'; configuration: OidcConfiguration }
  | { protocol: 'saml'; configuration: SamlConfiguration };

/** Returns the sample programs, filled with the saved values. */
function startsOf({ protocol, configuration }: QuickStartsProps): QuickStart[] {
  if (protocol === 'oidc') {
    const { domainUrl: issuer, clients } = configuration;
    return oidcQuickStarts({ issuer, clientId: clients.client_id, callbackUrl: clients.redirect_uris[0] ?? '' });
  }
  const { identityProvider, serviceProvider } = configuration;
  const { entityId, singleSignOnUrl, certificates } = identityProvider;
  const services = serviceProvider.assertionConsumerServices;
  const acs = services.find(({ isDefault }) => isDefault) ?? services[0];
  return samlQuickStarts({
    identityProvider: { entityId, singleSignOnUrl, certificate: certificates[0]?.pem ?? '' },
    serviceProvider: { entityId: serviceProvider.entityId, acsUrl: acs?.location ?? '' },
  });
}

export default function QuickStarts(props: QuickStartsProps) {
  const starts = startsOf(props);
  const [chosen, setChosen] = useState(starts[0]?.id);
  const start = starts.find(({ id }) => id === chosen) ?? starts[0];
  const secret = props.protocol === 'oidc' ? props.configuration.clients.client_secret : '';
  if (!start) return null;
  return (
    <Flex direction="column" gap="5">
      <FilterChips
        label={t`Library`}
        choices={starts.map(({ id, title }) => ({ value: id, label: title }))}
        value={start.id}
        onChange={setChosen}
      />
      {secret && (
        <Box maxW="2xl">
          <SecretField
            label={t`${SECRET_VARIABLE} environment variable`}
            value={secret}
            help={t`The files below read the secret from the environment and don’t contain it.`}
          />
        </Box>
      )}
      {start.note && (
        <Text color="fg.muted" maxW="2xl" overflowWrap="anywhere">
          {translateShared(start.note)}
        </Text>
      )}
      {start.install && <CodeDisplay code={start.install} label={t`Install`} />}
      {start.files.map(({ name, text }) => (
        <Flex key={name} direction="column" gap="2">
          <Text textStyle="code">{name}</Text>
          <RawText label={name} text={text} />
        </Flex>
      ))}
    </Flex>
  );
}
