import { Box } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { createRegistrationToken, LIMITS, listRegistrationTokens, revokeRegistrationToken } from '@orchestrate/shared';
import { useRead } from '../../../lib/api/use-read.ts';
import { useWrite } from '../../../lib/api/use-write.ts';
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
      title={t`Registration`}
      label={t`Registration tokens`}
      limit={LIMITS.registrationTokens}
      read={{ tokens: data?.tokens, refusal, refetch }}
      making={making}
      revoking={revoking}
      name={{ help: t`What registers with it, so that you can recognise it later.`, placeholder: t`MCP clients` }}
      none={{
        title: t`No registration tokens`,
        description: t`With one, an application adds itself (OpenID Connect Dynamic Client Registration).`,
      }}
      // Not only the time ends it: its maker must be able to manage applications.
      worth={{
        heading: t`Status`,
        of: ({ isValid }) => (
          <StatusBadge
            {...(isValid ? { status: t`Active`, tone: 'success' } : { status: t`Not valid`, tone: 'neutral' })}
          />
        ),
      }}
      consequences={[
        t`No application can register with it any more.`,
        t`Applications that have registered with it stay.`,
      ]}
    >
      <Box p="5" maxW="2xl">
        <SecretField label={t`Registration endpoint`} value={data?.endpoint ?? ''} isSecret={false} />
      </Box>
    </TokensSection>
  );
}
