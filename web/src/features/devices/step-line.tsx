import { Box, Center, chakra, VisuallyHidden } from '@chakra-ui/react';
import { Check } from 'lucide-react';
import { Fragment } from 'react';

interface StepLineProps {
  steps: readonly string[];
  /** The current step, from 0. */
  at: number;
}

/** The steps of a flow: completed ones ticked, the current one in the brand's colour. */
export function StepLine({ steps, at }: StepLineProps) {
  const isOver = at === steps.length - 1;
  return (
    <chakra.ol display="flex" alignItems="center" gap="3" listStyleType="none" aria-label="Progress">
      {steps.map((step, index) => {
        const isDone = index < at || (isOver && index === at);
        const isPresent = index === at;
        return (
          <Fragment key={step}>
            {index > 0 && (
              <Box
                as="li"
                role="presentation"
                aria-hidden
                flex="1"
                h="1px"
                bg={index <= at ? 'brand.line' : 'border.emphasized'}
                transition="background-color 180ms"
              />
            )}
            <chakra.li
              aria-current={isPresent ? 'step' : undefined}
              display="flex"
              alignItems="center"
              gap="2"
              textStyle="sm"
              fontWeight={isPresent ? 'semibold' : 'medium'}
              color={isPresent ? 'fg' : 'fg.muted'}
            >
              <Center
                aria-hidden
                boxSize="6"
                borderRadius="full"
                borderWidth="1px"
                textStyle="xs"
                fontWeight="semibold"
                transition="background-color 180ms, border-color 180ms"
                {...(isDone || isPresent
                  ? { bg: 'brand.solid', color: 'brand.contrast', borderColor: 'brand.solid' }
                  : { bg: 'bg.panel', color: 'fg.muted', borderColor: 'border.emphasized' })}
              >
                {isDone ? <Check size={14} strokeWidth={2.5} /> : index + 1}
              </Center>
              {step}
              {isDone && <VisuallyHidden>, done</VisuallyHidden>}
            </chakra.li>
          </Fragment>
        );
      })}
    </chakra.ol>
  );
}
