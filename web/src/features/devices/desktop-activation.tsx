import { Box, Button, Flex, Heading, Skeleton, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type ActivationData, getActivationCode, regenerateActivationCode } from '@orchestrate/shared';
import { useState } from 'react';
import useSWR from 'swr';
import type { ApiRefusal } from '#lib/api/api-refusal.ts';
import { cacheKeyOf } from '#lib/api/cache.ts';
import { call } from '#lib/api/call.ts';
import { formatDateTime } from '#lib/format/dates.ts';
import { reasonOf, resultText } from '#lib/notices/result-text.ts';
import { toast } from '#lib/notices/toaster.ts';
import { useSession } from '#lib/session/session.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { AccountLocked } from '#ui/feedback/status-badge.tsx';
import { CodeDisplay } from '#ui/text/code-display.tsx';
import type { RunApproved } from './use-add-device-approval.ts';

/**
 * Fetches the signed-in user's desktop activation code (GET user/activation-code). Replaces an expired code before
 * displaying it, without sending an email. A locked code stays until the user requests a new one.
 */
function useDesktopActivation(run: RunApproved) {
  const { email = '', primaryAttr = '' } = useSession()?.profile ?? {};
  const [isRenewing, setIsRenewing] = useState(false);
  const generate = () =>
    run((approvalId) =>
      call(regenerateActivationCode, { body: { email, primaryAttr, sendEmail: false, type: 'desktop', approvalId } }),
    );

  const { data, error, mutate } = useSWR<ActivationData, ApiRefusal>(
    cacheKeyOf(getActivationCode, { query: {} }),
    async () => {
      const present = await run((approvalId) => call(getActivationCode, { query: { approvalId } }));
      return present.activationExpired && !present.activationLocked ? generate() : present;
    },
  );

  const renew = async () => {
    setIsRenewing(true);
    try {
      const renewed = await generate();
      await mutate(renewed, { revalidate: false });
    } catch (failure) {
      toast.error(t`Failed to generate activation code. Please try again`, reasonOf(failure));
    } finally {
      setIsRenewing(false);
    }
  };
  return { activation: data, refusal: error, renew, isRenewing };
}

const READING_GROUP = 3;

/** Shows an activation code for the desktop app, as another way to add a computer. */
export function DesktopActivation({ run }: { run: RunApproved }) {
  const email = useSession()?.profile.email;
  return (
    <Flex
      as="section"
      aria-label={t`Activation code`}
      direction={{ base: 'column', xs: 'row' }}
      align={{ base: 'stretch', xs: 'center' }}
      justify="space-between"
      columnGap="6"
      rowGap="3"
      pt="4"
      borderTopWidth="1px"
    >
      <Box minW="0">
        <Heading as="h3" size="sm">
          {t`Or use an activation code`}
        </Heading>
        <Text
          textStyle="sm"
          color="fg.muted"
          overflowWrap="anywhere"
        >{t`Enter it in the desktop app together with ${email ?? ''}.`}</Text>
      </Box>
      <Box w={{ base: 'full', xs: '56' }} flexShrink="0">
        <ActivationCode run={run} />
      </Box>
    </Flex>
  );
}

function ActivationCode({ run }: { run: RunApproved }) {
  const { activation, refusal, renew, isRenewing } = useDesktopActivation(run);
  const newCode = (
    <Button variant="ghost" size="sm" loading={isRenewing} loadingText={t`New Code`} onClick={() => void renew()}>
      {t`New Code`}
    </Button>
  );
  if (refusal) {
    return (
      <Flex direction="column" gap="3" align="flex-start">
        <AlertLine>{resultText(refusal)}</AlertLine>
        {newCode}
      </Flex>
    );
  }
  if (!activation) return <Skeleton h="16" borderRadius="l2" role="status" aria-label={t`Loading activation code`} />;
  if (activation.activationLocked) {
    return (
      <Flex align="center" justify="space-between" gap="2" minH="10" ps="2" pe="1" borderWidth="1px" borderRadius="l2">
        <AccountLocked />
        {newCode}
      </Flex>
    );
  }
  return (
    <Flex direction="column" gap="1">
      <CodeDisplay code={activation.activationCode} label={t`activation code`} groupSize={READING_GROUP} />
      <Text textStyle="xs" color="fg.muted">
        {t`Valid until ${formatDateTime(activation.activationExpiry)}`}
      </Text>
    </Flex>
  );
}
