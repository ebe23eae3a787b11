import { Box } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { createRegistrationToken, LIMITS, listRegistrationTokens, revokeRegistrationToken } from '@orchestrate/shared';
import { useRead } from '#lib/api/use-read.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { StatusBadge } from '#ui/feedback/status-badge.tsx';
import { SecretField } from '#ui/form/secret-field.tsx';
import { TokensSection } from '#ui/tokens/tokens-section.tsx';

/** Manages the tokens that let applications register themselves. */
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
      name={{ help: t`A label for the clients that will use this token.`, placeholder: t`MCP clients` }}
      none={{
        title: t`No registration tokens yet`,
        description: t`Create a token to let applications register themselves (OpenID Connect Dynamic Client Registration).`,
      }}
      // Show the status instead of permissions, because a token also becomes invalid if its creator can no longer
      // manage applications.
      permissions={{
        heading: t`Status`,
        of: ({ isValid }) => (
          <StatusBadge
            {...(isValid ? { status: t`Active`, tone: 'success' } : { status: t`Invalid`, tone: 'neutral' })}
          />
        ),
      }}
      consequences={[
        t`Applications can no longer register with this token.`,
        t`Applications that registered with it aren't affected.`,
      ]}
    >
      <Box p="5" maxW="fields">
        <SecretField label={t`Registration endpoint`} value={data?.endpoint ?? ''} isSecret={false} />
      </Box>
    </TokensSection>
  );
}
