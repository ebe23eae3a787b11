import { Center, chakra } from '@chakra-ui/react';
import { LIMITS } from '@orchestrate/shared';
import { QR_PX } from '#theme/tokens.ts';

interface TypedCodeProps {
  code: string;
  /** Accessible name, e.g. 'Sign-in code'. */
  label: string;
}

const HALF = LIMITS.typedCodeLength / 2;
/**
 * Size of a QR code with its quiet zone. The typed code has the same size, so that nothing moves when the user
 * switches between the two.
 */
const SQUARE_PX = QR_PX + 24;

/** A code that users type on a device, in two lines of four large characters. */
export function TypedCode({ code, label }: TypedCodeProps) {
  return (
    <Center w={`${SQUARE_PX}px`} maxW="full" aspectRatio="1">
      <chakra.code
        role="img"
        aria-label={`${label}: ${[...code].join(' ')}`}
        display="flex"
        flexDirection="column"
        textStyle="code"
        fontSize="4rem"
        fontWeight="semibold"
        letterSpacing="code"
        lineHeight="short"
        // Compensates for the letter spacing after the last letter, which would shift the code off centre.
        ps="0.12em"
      >
        <span>{code.slice(0, HALF)}</span>
        <span>{code.slice(HALF)}</span>
      </chakra.code>
    </Center>
  );
}
