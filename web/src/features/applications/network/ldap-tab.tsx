import { Box, Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { LdapConfiguration } from '@orchestrate/shared';
import { AlertLine } from '../../../ui/alert-line.tsx';
import { SecretField } from '../../../ui/secret-field.tsx';
import { Section } from '../../../ui/section.tsx';
import { ReplaceSecret } from './replace-secret.tsx';

/** What an LDAP client needs to know of the portal. */
export function LdapTab({ appId, configuration }: { appId: string; configuration: LdapConfiguration }) {
  const { host, port, tlsPort, baseDn, bindDn, secret } = configuration;
  return (
    <Flex direction="column" gap="5">
      {port === null && tlsPort === null && (
        <AlertLine tone="warning">
          {t`LDAP is switched off: start the portal with LDAP_PORT, e.g. 1389, or LDAPS_PORT.`}
        </AlertLine>
      )}
      <Section
        title={t`Client`}
        aside={
          <ReplaceSecret appId={appId} done={t`New bind password created`} title={t`Regenerate the bind password?`} />
        }
      >
        <Flex direction="column" gap="5" maxW="2xl">
          {port !== null && <SecretField label={t`Server`} value={`ldap://${host}:${port}`} isSecret={false} />}
          {tlsPort !== null && (
            <SecretField
              label={t`Server with TLS`}
              value={`ldaps://${host}:${tlsPort}`}
              isSecret={false}
              help={t`The client must trust the certificate authority in the file that the portal names at its start.`}
            />
          )}
          <SecretField
            label={t`Base DN`}
            value={baseDn}
            isSecret={false}
            help={
              <>
                <Entries what={t`People:`} dn={`uid=<email>,ou=people,${baseDn}`} />
                <Entries what={t`Roles and groups, with their members:`} dn={`cn=<name>,ou=groups,${baseDn}`} />
              </>
            }
          />
          <SecretField
            label={t`Bind DN`}
            value={bindDn}
            isSecret={false}
            help={t`The account with which the client searches.`}
          />
          <SecretField
            label={t`Bind password`}
            value={secret}
            help={t`People bind with any password, and approve on their device: let the client wait a minute.`}
          />
        </Flex>
      </Section>
    </Flex>
  );
}

/** Where entries are, on a line of its own. A name breaks only where a whole line is too short for it. */
function Entries({ what, dn }: { what: string; dn: string }) {
  return (
    <Box as="span" display="block">
      {what}{' '}
      <Box as="span" display="inline-block" maxW="full" overflowWrap="anywhere">
        {dn}
      </Box>
    </Box>
  );
}
