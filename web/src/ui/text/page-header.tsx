import { Box, Flex, Heading, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';

interface PageHeaderProps {
  title: string;
  /** The page's purpose in one line. */
  description?: string;
  /** At most one primary action, after any secondary actions. */
  action?: ReactNode;
}

export function PageHeader({ title, description, action }: PageHeaderProps) {
  return (
    <Flex gap="4" wrap="wrap" align="center" justify="space-between">
      <Box flex="1 1 20rem" minW="0">
        <Heading as="h1" size="xl">
          {title}
        </Heading>
        {description && <Text color="fg.muted">{description}</Text>}
      </Box>
      {action && (
        <Flex gap="2.5" wrap="wrap">
          {action}
        </Flex>
      )}
    </Flex>
  );
}
