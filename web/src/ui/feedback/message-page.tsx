import { Center, Flex, Heading, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface MessagePageProps {
  /** Element to render. Use 'div' inside a `main`. */
  as?: 'main' | 'div';
  icon: LucideIcon;
  tone?: 'success' | 'warning' | 'danger' | 'neutral';
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}

/** A full page with a single message. */
export function MessagePage({ as = 'main', icon: Icon, tone = 'neutral', title, children, action }: MessagePageProps) {
  return (
    <Center as={as} flex="1" px="5" py="10">
      <title>{t`${title} · Orchestrate`}</title>
      <Flex
        direction="column"
        align="center"
        gap="5"
        w="full"
        maxW="md"
        px={{ base: '6', xs: '10' }}
        py="10"
        textAlign="center"
        bg="bg.panel"
        borderWidth="1px"
        borderRadius="l3"
      >
        <Center colorPalette={tone} boxSize="14" borderRadius="full" bg="colorPalette.subtle" color="colorPalette.fg">
          <Icon size={26} strokeWidth={1.5} aria-hidden />
        </Center>
        <Flex direction="column" gap="2" align="center">
          <Heading as="h1" size="lg">
            {title}
          </Heading>
          {children && (
            <Text as="div" color="fg.muted" textWrap="pretty">
              {children}
            </Text>
          )}
        </Flex>
        {action}
      </Flex>
    </Center>
  );
}
