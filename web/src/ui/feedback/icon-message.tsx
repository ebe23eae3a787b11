import { Center, Flex, Heading, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';

interface IconMessageProps {
  icon: ReactNode;
  tone: 'brand' | 'success' | 'warning' | 'danger' | 'neutral';
  title: string;
  text?: string | undefined;
  /** True if the message should interrupt screen readers. */
  isUrgent?: boolean;
  /** Additional information or actions. */
  children?: ReactNode;
}

/** A dialog's status or result, centred: an icon, a heading and a sentence. */
export function IconMessage({ icon, tone, title, text, isUrgent = false, children }: IconMessageProps) {
  return (
    <Flex direction="column" align="center" gap="5" py="6" textAlign="center" animationStyle="appear">
      <Center colorPalette={tone} boxSize="16" borderRadius="full" bg="colorPalette.subtle" color="colorPalette.fg">
        {icon}
      </Center>
      <Flex direction="column" gap="1" align="center" role={isUrgent ? 'alert' : 'status'}>
        <Heading as="h3" size="md">
          {title}
        </Heading>
        {text && (
          <Text color="fg.muted" maxW="sm" textWrap="balance">
            {text}
          </Text>
        )}
      </Flex>
      {children}
    </Flex>
  );
}
