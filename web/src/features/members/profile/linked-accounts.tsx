import { Box, Button, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type ExternalIdentity, listExternalIdentities, removeExternalIdentity } from '@orchestrate/shared';
import { useRead } from '#lib/api/use-read.ts';
import { useWrite } from '#lib/api/use-write.ts';
import { formatDateTime } from '#lib/format/dates.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { toast } from '#lib/notices/toaster.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { Section } from '#ui/list/section.tsx';

/** Lists a member's linked accounts at identity providers. Renders nothing if the member has no linked accounts. */
export function LinkedAccounts({ suid, canRemove }: { suid: string; canRemove: boolean }) {
  const { data } = useRead(listExternalIdentities, { query: { suid } });
  const { run, isPending, refusal } = useWrite(removeExternalIdentity, { invalidates: ['Linked Accounts'] });
  if (!data || data.identities.length === 0) return null;
  const remove = async ({ id }: ExternalIdentity) => {
    await run({ body: { id, suid } });
    toast.success(t`Linked account removed`);
  };
  return (
    <Section title={t`Linked accounts`}>
      <Flex direction="column" gap="3">
        {refusal && <AlertLine>{resultText(refusal)}</AlertLine>}
        {data.identities.map((identity) => (
          <Flex key={identity.id} align="center" justify="space-between" gap="3" wrap="wrap">
            <Box minW="0">
              <Text fontWeight="medium" overflowWrap="anywhere">
                {identity.email || hostOf(identity.issuer)}
              </Text>
              <Text textStyle="sm" color="fg.muted" overflowWrap="anywhere">
                {t`${hostOf(identity.issuer)} · last used ${formatDateTime(identity.lastUsedAt)}`}
              </Text>
            </Box>
            {canRemove && (
              <Button
                type="button"
                variant="outline"
                size="sm"
                loading={isPending}
                onClick={() => void remove(identity).catch(() => undefined)}
              >
                {t`Remove`}
              </Button>
            )}
          </Flex>
        ))}
      </Flex>
    </Section>
  );
}

const hostOf = (issuer: string) => URL.parse(issuer)?.host ?? issuer;
