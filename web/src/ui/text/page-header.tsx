import { Box, Flex, Heading, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';

interface PageProps {
  /** `text` for forms and text, `full` for tables, lists and cards. */
  width?: 'full' | 'text';
  children: ReactNode;
}

/**
 * A screen's content, below each other. All screens have one of two widths. In a window of common size, both are the
 * whole room, because a text page that is only a little narrower than the others would look like a mistake.
 */
export function Page({ width = 'full', children }: PageProps) {
  return (
    <Flex direction="column" gap="6" w="full" maxW={width === 'text' ? { lg: 'text' } : undefined}>
      {children}
    </Flex>
  );
}

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
