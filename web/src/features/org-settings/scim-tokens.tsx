import { t } from '@lingui/core/macro';
import { createScimToken, LIMITS, listScimTokens, revokeScimToken } from '@orchestrate/shared';
import { useRead } from '../../lib/api/use-read.ts';
import { useWrite } from '../../lib/api/use-write.ts';
import { TokensSection } from '../../tokens/tokens-section.tsx';

/** Bearer tokens of directories. */
export function ScimTokens() {
  const { data, refusal, refetch } = useRead(listScimTokens, {});
  const making = useWrite(createScimToken);
  const revoking = useWrite(revokeScimToken);
  return (
    <TokensSection
      title={t`Tokens`}
      label={t`Tokens`}
      limit={LIMITS.scimTokens}
      read={{ tokens: data?.tokens, refusal, refetch }}
      making={making}
      revoking={revoking}
      name={{
        help: t`Which directory uses it, so that you can recognise it later.`,
        placeholder: t`Microsoft Entra ID`,
      }}
      none={{
        title: t`No tokens`,
        description: t`Some directories, such as Microsoft Entra ID, ask for a secret token instead of a username and password.`,
      }}
      worth={{ heading: t`Can give`, of: ({ roles }) => roles.join(', ') }}
      consequences={[t`A directory that uses this token is refused immediately.`]}
    />
  );
}
