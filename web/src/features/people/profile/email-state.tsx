import { Button, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { cancelEmailChange, type Member, type PendingEmail } from '@orchestrate/shared';
import { BadgeCheck, TriangleAlert } from 'lucide-react';
import { useWrite } from '../../../lib/api/use-write.ts';

interface EmailStateProps {
  member: Member;
  pending: PendingEmail | null;
  canCancel: boolean;
}

/** Whether a member's address is verified, and which new address is waiting. */
export function EmailState({ member, pending, canCancel }: EmailStateProps) {
  const { run, isPending } = useWrite(cancelEmailChange, { invalidates: ['Member Profile'] });
  const isChange = pending !== null && pending.email !== member.primaryEmail;
  return (
    <Flex direction="column" align="flex-start" gap="1" color="fg.muted" textStyle="sm">
      {member.emailVerified ? (
        <Flex as="span" align="center" gap="1">
          <BadgeCheck size={14} aria-hidden />
          {t`Verified`}
        </Flex>
      ) : (
        <Flex as="span" align="center" gap="1" color="warning.fg">
          <TriangleAlert size={14} aria-hidden />
          {t`Not verified`}
        </Flex>
      )}
      {isChange && <Text as="span" overflowWrap="anywhere">{t`Changes to ${pending.email} once confirmed there`}</Text>}
      {isChange && canCancel && (
        <Button
          variant="outline"
          size="xs"
          loading={isPending}
          onClick={() => void run({ body: { suid: member.suid } }).catch(() => undefined)}
        >
          {t`Cancel the change`}
        </Button>
      )}
    </Flex>
  );
}
