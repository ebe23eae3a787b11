import { Center, Flex, Text } from '@chakra-ui/react';
import { Check, type LucideIcon, TriangleAlert, X } from 'lucide-react';

export interface OutcomeText {
  tone: 'success' | 'danger' | 'warning' | 'neutral';
  title: string;
  /** One or more sentences. */
  text: string;
}

const icons: Record<OutcomeText['tone'], LucideIcon> = {
  success: Check,
  danger: X,
  warning: TriangleAlert,
  neutral: X,
};

/**
 * Displays the outcome of an action with an icon, a title and an explanation. Screen readers announce it when it
 * appears.
 */
export function Outcome({ tone, title, text }: OutcomeText) {
  const Icon = icons[tone];
  return (
    <Flex role="status" direction="column" align="center" gap="4" py="5" textAlign="center" animationStyle="appear">
      <Center boxSize="16" borderRadius="full" colorPalette={tone} bg="colorPalette.muted" color="colorPalette.fg">
        <Icon size={30} strokeWidth={2.25} aria-hidden />
      </Center>
      <Flex direction="column" gap="1">
        <Text fontSize="xl" fontWeight="semibold" letterSpacing="tight">
          {title}
        </Text>
        <Text color="fg.muted" textWrap="balance" whiteSpace="pre-line" overflowWrap="anywhere">
          {text}
        </Text>
      </Flex>
    </Flex>
  );
}
