import { Center, chakra, Flex, Heading, Text } from '@chakra-ui/react';
import { Check, CircleSlash, X } from 'lucide-react';
import type { ReactNode } from 'react';

const looks = {
  success: { Icon: Check, palette: 'success' },
  failed: { Icon: X, palette: 'danger' },
  over: { Icon: CircleSlash, palette: 'neutral' },
} as const;

interface DeviceResultProps {
  look: keyof typeof looks;
  title: string;
  text?: string;
  children?: ReactNode;
}

/** How an exchange with a device ended: an icon, a sentence, and further information or actions. */
export function DeviceResult({ look, title, text, children }: DeviceResultProps) {
  const { Icon, palette } = looks[look];
  return (
    <Flex direction="column" align="center" gap="5" py="6" textAlign="center" animationStyle="appear">
      <Center colorPalette={palette} boxSize="16" borderRadius="full" bg="colorPalette.subtle" color="colorPalette.fg">
        <Icon size={30} strokeWidth={2} aria-hidden />
      </Center>
      <Flex direction="column" gap="1" align="center" role="status">
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

/** Facts in two columns, for a card below a result. */
export function FactList({ facts }: { facts: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <chakra.dl
      display="grid"
      gridTemplateColumns="auto 1fr"
      columnGap="6"
      rowGap="2.5"
      w="full"
      px="5"
      py="4"
      textAlign="start"
      borderWidth="1px"
      borderRadius="l3"
      bg="bg.subtle"
    >
      {facts.map(([label, value]) => (
        <Flex key={label} display="contents">
          <Text as="dt" color="fg.muted">
            {label}
          </Text>
          <Text as="dd" fontWeight="medium" textAlign="end" overflowWrap="anywhere">
            {value}
          </Text>
        </Flex>
      ))}
    </chakra.dl>
  );
}
