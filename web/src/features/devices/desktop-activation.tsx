import { Box, Button, Flex, Heading, Skeleton, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { formatDateTime } from '../../lib/format/dates.ts';
import { resultText } from '../../lib/notices/result-text.ts';
import { useSession } from '../../lib/session/session.ts';
import { AccountLocked } from '../../ui/account-locked.tsx';
import { AlertLine } from '../../ui/alert-line.tsx';
import { CodeDisplay } from '../../ui/code-display.tsx';
import type { RunApproved } from './use-add-device-approval.ts';
import { useDesktopActivation } from './use-desktop-activation.ts';

const READING_GROUP = 3;

/** The other way to add a computer: the activation code for its desktop app. */
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
        >{t`Enter it in the desktop app with ${email ?? ''}.`}</Text>
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
  if (!activation)
    return <Skeleton h="16" borderRadius="l2" role="status" aria-label={t`Loading the activation code`} />;
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
