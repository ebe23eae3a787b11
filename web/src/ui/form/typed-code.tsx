import { Center, chakra } from '@chakra-ui/react';
import { LIMITS } from '@orchestrate/shared';
import { QR_PX } from '#theme/pixels.ts';

interface TypedCodeProps {
  code: string;
  /** Accessible name, e.g. 'Sign-in code'. */
  label: string;
}

const HALF = LIMITS.typedCodeLength / 2;
/** The size of a QR code with its quiet zone, so that switching between them moves nothing. */
const SQUARE_PX = QR_PX + 24;

/** A code to type on a device, in two lines of four large characters. */
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
        // Letter spacing also follows the last letter, which would move the code off centre.
        ps="0.12em"
      >
        <span>{code.slice(0, HALF)}</span>
        <span>{code.slice(HALF)}</span>
      </chakra.code>
    </Center>
  );
}
