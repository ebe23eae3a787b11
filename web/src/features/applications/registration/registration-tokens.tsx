import { Box } from '@chakra-ui/react';
import { createRegistrationToken, LIMITS, listRegistrationTokens, revokeRegistrationToken } from '@orchestrate/shared';
import { useWrite } from '../../../lib/api/use-endpoint.ts';
import { useRead } from '../../../lib/api/use-read.ts';
import { TokensSection } from '../../../tokens/tokens-section.tsx';
import { SecretField } from '../../../ui/secret-field.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';

/** The tokens with which applications register themselves. */
export function RegistrationTokens() {
  const making = useWrite(createRegistrationToken);
  const revoking = useWrite(revokeRegistrationToken);
  const { data, refusal, refetch } = useRead(listRegistrationTokens, {});
  if (refusal?.status === 403) return null;
  return (
    <TokensSection
      title="Registration"
      label="Registration tokens"
      limit={LIMITS.registrationTokens}
      read={{ tokens: data?.tokens, refusal, refetch }}
      making={making}
      revoking={revoking}
      name={{ help: 'What registers with it, so that you can recognise it later.', placeholder: 'MCP clients' }}
      none={{
        title: 'No registration tokens',
        description: 'With one, an application adds itself (OpenID Connect Dynamic Client Registration).',
      }}
      // Not only the time ends it: its maker must be able to manage applications.
      worth={{
        heading: 'State',
        of: ({ isValid }) => (
          <StatusBadge {...(isValid ? { status: 'Active' } : { status: 'Not valid', tone: 'neutral' })} />
        ),
      }}
      consequences={['Nothing registers with it any more.', 'Applications that have registered with it stay.']}
    >
      <Box p="5" maxW="2xl">
        <SecretField label="Registration endpoint" value={data?.endpoint ?? ''} isSecret={false} />
      </Box>
    </TokensSection>
  );
}
