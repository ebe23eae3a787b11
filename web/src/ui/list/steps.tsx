import { Box, Center, chakra, VisuallyHidden } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Check } from 'lucide-react';
import { Fragment } from 'react';

interface StepsProps {
  steps: readonly string[];
  /** Index of the current step. All steps before it are completed. */
  current: number;
  /** True if the current step is completed too. */
  isOver?: boolean;
}

/** A flow's steps, with the current and completed steps marked. */
export function Steps({ steps, current, isOver = false }: StepsProps) {
  return (
    <chakra.ol display="flex" alignItems="center" gap="3" listStyleType="none" aria-label={t`Steps`}>
      {steps.map((step, at) => {
        const isPresent = at === current;
        const isDone = at < current || (isOver && isPresent);
        return (
          <Fragment key={step}>
            {at > 0 && (
              <Box
                as="li"
                role="presentation"
                aria-hidden
                flex="1"
                h="1px"
                bg={at <= current ? 'brand.line' : 'border.emphasized'}
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
                flexShrink="0"
                borderRadius="full"
                borderWidth="1px"
                textStyle="xs"
                fontWeight="semibold"
                transition="background-color 180ms, border-color 180ms"
                {...(isDone || isPresent
                  ? { bg: 'brand.solid', color: 'brand.contrast', borderColor: 'brand.solid' }
                  : { bg: 'bg.panel', color: 'fg.muted', borderColor: 'border.emphasized' })}
              >
                {isDone ? <Check size={14} strokeWidth={2.5} /> : at + 1}
              </Center>
              {step}
              {isDone && <VisuallyHidden> {t`completed`}</VisuallyHidden>}
            </chakra.li>
          </Fragment>
        );
      })}
    </chakra.ol>
  );
}
