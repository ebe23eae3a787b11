import { Box, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { OidcConfiguration, SamlConfiguration } from '@orchestrate/shared';
import { oidcQuickStarts, type QuickStart, SECRET_VARIABLE, samlQuickStarts } from '@orchestrate/shared/quick-starts';
import { useState } from 'react';
import { CopyButton } from '#ui/feedback/copy-button.tsx';
import { SecretField } from '#ui/form/secret-field.tsx';
import { Select } from '#ui/form/select.tsx';
import { FilterChips } from '#ui/list/filter-chips.tsx';
import { CodeDisplay } from '#ui/text/code-display.tsx';
import { Pre, RawText } from '#ui/text/raw-text.tsx';
import { translateShared } from '#words/words.ts';

export type QuickStartsProps = { isCompact?: boolean } & (
  | { protocol: 'oidc'; configuration: OidcConfiguration }
  | { protocol: 'saml'; configuration: SamlConfiguration }
);

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
  const { isCompact = false } = props;
  const secret = props.protocol === 'oidc' ? props.configuration.clients.client_secret : '';
  if (!start) return null;
  return (
    <Flex direction="column" gap={isCompact ? '3' : '5'}>
      {isCompact ? (
        <Select
          size="sm"
          aria-label={t`Library`}
          value={start.id}
          onChange={({ target }) => setChosen(starts.find(({ id }) => id === target.value)?.id)}
        >
          {starts.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </Select>
      ) : (
        <FilterChips
          label={t`Library`}
          choices={starts.map(({ id, title }) => ({ value: id, label: title }))}
          value={start.id}
          onChange={setChosen}
        />
      )}
      {secret && isCompact && (
        <Text textStyle="sm" color="fg.muted">
          <Trans>
            Set the environment variable <Text as="code">{SECRET_VARIABLE}</Text> to the client secret.
          </Trans>
        </Text>
      )}
      {secret && !isCompact && (
        <Box maxW="fields">
          <SecretField
            label={t`${SECRET_VARIABLE} environment variable`}
            value={secret}
            help={t`The files below read the secret from the environment and don’t contain it.`}
          />
        </Box>
      )}
      {start.note && (
        <Text color="fg.muted" maxW="fields" overflowWrap="anywhere" textStyle={isCompact ? 'sm' : undefined}>
          {translateShared(start.note)}
        </Text>
      )}
      {start.install && <CodeDisplay code={start.install} label={t`Install`} />}
      {start.files.map(({ name, text }) =>
        isCompact ? (
          <Code key={name} name={name} text={text} />
        ) : (
          <Flex key={name} direction="column" gap="2">
            <Text textStyle="code">{name}</Text>
            <RawText label={name} text={text} />
          </Flex>
        ),
      )}
    </Flex>
  );
}

/** A file in a small box, whose long lines wrap. */
function Code({ name, text }: { name: string; text: string }) {
  return (
    <Box bg="bg.subtle" borderRadius="l2" borderWidth="1px" minW="0">
      <Flex align="center" justify="space-between" ps="3" pe="1" py="1" borderBottomWidth="1px">
        <Text textStyle="code" fontSize="xs" color="fg.muted">
          {name}
        </Text>
        <CopyButton text={text} label={t`Copy ${name}`} />
      </Flex>
      <Pre label={name} text={text} lineHeight="1.6" whiteSpace="pre-wrap" overflowWrap="anywhere" p="3" maxH="44" />
    </Box>
  );
}
