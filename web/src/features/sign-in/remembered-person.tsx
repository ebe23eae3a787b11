import { Box, Button, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { RememberedMember } from '@orchestrate/shared';
import { InitialsAvatar } from '#ui/text/initials-avatar.tsx';

interface RememberedPersonProps {
  member: RememberedMember;
  onForget: () => void;
  isPending: boolean;
}

/** The member whom the browser remembers, and their device. */
export default function RememberedPerson({ member, onForget, isPending }: RememberedPersonProps) {
  return (
    <Flex
      align="center"
      gap="3"
      minH="16"
      px="3"
      py="2"
      bg="bg.panel"
      borderWidth="1px"
      borderRadius="l3"
      animationStyle="appear"
    >
      <InitialsAvatar name={member.fullName} />
      <Box flex="1" minW="0">
        <Text fontWeight="semibold" truncate>
          {member.fullName}
        </Text>
        <Text textStyle="sm" color="fg.muted" truncate>
          {member.deviceName}
        </Text>
      </Box>
      <Button variant="ghost" size="sm" loading={isPending} loadingText={t`Not you?`} onClick={onForget}>
        {t`Not you?`}
      </Button>
    </Flex>
  );
}
