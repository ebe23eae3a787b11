import { Center, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { ShieldCheck } from 'lucide-react';
import { AddOptions } from './add-options.tsx';
import type { OpenSheet } from './phone-sheet.ts';

/** A phone without accounts: what it is for, and every way to begin. */
export function FirstAccount({ onOpen }: { onOpen: OpenSheet }) {
  return (
    <Flex direction="column" flex="1" minH="0" overflowY="auto" px="4" pb="6">
      <Flex direction="column" align="center" justify="center" gap="4" flex="1" minH="52" textAlign="center">
        <Center boxSize="16" borderRadius="full" bg="brand.subtle" color="brand.fg">
          <ShieldCheck size={30} strokeWidth={1.5} aria-hidden />
        </Center>
        <Flex direction="column" gap="1">
          <Text fontSize="lg" fontWeight="semibold">
            {t`No account yet`}
          </Text>
          <Text color="fg.muted" maxW="64" textWrap="balance">
            {t`Add one, and sign in to your organisation without a password.`}
          </Text>
        </Flex>
      </Flex>
      <AddOptions onOpen={onOpen} />
    </Flex>
  );
}
