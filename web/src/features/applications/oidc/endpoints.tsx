import { Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { hasSignIn, type OidcConfiguration } from '@orchestrate/shared';
import { SecretField } from '#ui/form/secret-field.tsx';
import { AccordionSection } from '#ui/list/accordion-section.tsx';

type Endpoint = keyof OidcConfiguration['endpoints'];
type Clients = OidcConfiguration['clients'];

const ALL = ['web', 'single-page', 'native', 'machine'] as const satisfies Clients['kind'][];
const WITH_SIGN_IN = ALL.filter(hasSignIn);

/**
 * Endpoints in the order a client needs them, with the application types that use each endpoint. The first endpoint
 * that a type needs is displayed next to the client ID.
 */
const ENDPOINTS: readonly { name: Endpoint; label: string; kinds: readonly Clients['kind'][]; help?: string }[] = [
  {
    name: 'device_authorization_endpoint',
    label: t`Device authorization endpoint`,
    kinds: ['native'],
    help: t`Used by devices without a browser.`,
  },
  {
    name: 'pushed_authorization_request_endpoint',
    label: t`Pushed authorization request endpoint`,
    kinds: WITH_SIGN_IN,
    help: t`Optional. Accepts the parameters of a sign-in before the browser is redirected.`,
  },
  { name: 'token_endpoint', label: t`Token endpoint`, kinds: WITH_SIGN_IN },
  { name: 'jwks_uri', label: t`Public keys (JWKS)`, kinds: ALL },
  { name: 'userinfo_endpoint', label: t`Userinfo endpoint`, kinds: WITH_SIGN_IN },
  {
    name: 'introspection_endpoint',
    label: t`Introspection endpoint`,
    kinds: ALL,
    help: t`Returns whether a token is still valid and who it was issued for.`,
  },
  { name: 'revocation_endpoint', label: t`Revocation endpoint`, kinds: ALL },
  { name: 'end_session_endpoint', label: t`End session endpoint`, kinds: WITH_SIGN_IN },
];

/** Displays the additional endpoints from the discovery document that this type of application can use. */
export function Endpoints({ configuration }: { configuration: OidcConfiguration }) {
  const { endpoints, clients } = configuration;
  return (
    <AccordionSection
      title={t`Endpoints`}
      hint={t`Other portal addresses, for clients that don't read the discovery document`}
    >
      <Flex direction="column" gap="5" maxW="fields">
        {ENDPOINTS.filter(({ kinds }) => kinds.includes(clients.kind)).map(({ name, label, help }) => (
          <SecretField key={name} label={label} value={endpoints[name]} isSecret={false} {...(help && { help })} />
        ))}
      </Flex>
    </AccordionSection>
  );
}
