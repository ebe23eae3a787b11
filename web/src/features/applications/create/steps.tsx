import { Center, chakra, Text, VisuallyHidden } from '@chakra-ui/react';
import { Check } from 'lucide-react';

interface StepsProps {
  steps: readonly string[];
  /** The current one, from 0; those before it are completed. */
  current: number;
}

/** Which steps a dialog has, which are done, and which is next. */
export function Steps({ steps, current }: StepsProps) {
  return (
    <chakra.ol display="flex" alignItems="center" gap="3" listStyleType="none" aria-label="Steps">
      {steps.map((step, at) => {
        const isDone = at < current;
        const isPresent = at === current;
        return (
          <chakra.li
            key={step}
            display="flex"
            alignItems="center"
            gap="2.5"
            minW="0"
            aria-current={isPresent ? 'step' : undefined}
            _notFirst={{ _before: { content: '""', w: '6', h: '1px', bg: 'border.emphasized', flexShrink: 0 } }}
          >
            <Center
              boxSize="6"
              borderRadius="full"
              flexShrink="0"
              borderWidth="1px"
              borderColor={isDone ? 'success.solid' : isPresent ? 'brand.line' : 'border.emphasized'}
              bg={isDone ? 'success.solid' : isPresent ? 'brand.solid' : 'bg.panel'}
              color={isDone ? 'success.contrast' : isPresent ? 'brand.contrast' : 'fg.muted'}
              textStyle="xs"
              fontWeight="semibold"
              aria-hidden
            >
              {isDone ? <Check size={14} /> : at + 1}
            </Center>
            <Text textStyle="sm" fontWeight={isPresent ? 'semibold' : 'medium'} color={isPresent ? 'fg' : 'fg.muted'}>
              {step}
            </Text>
            {isDone && <VisuallyHidden>completed</VisuallyHidden>}
          </chakra.li>
        );
      })}
    </chakra.ol>
  );
}
