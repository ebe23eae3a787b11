import { chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { LIMITS } from '@orchestrate/shared';
import { spokenAs } from './spelling.ts';

const HALF = LIMITS.typedCodeLength / 2;

/** A code to be read aloud: large, in two groups, with the word for each character below it. */
export function SpokenCode({ code }: { code: string }) {
  return (
    <Flex
      dir="ltr"
      role="img"
      aria-label={t`Code for the caller: ${[...code].join(' ')}`}
      wrap="wrap"
      justify="center"
      columnGap="8"
      rowGap="4"
    >
      {[code.slice(0, HALF), code.slice(HALF)].map((group, at) => (
        <Flex key={at} gap="2">
          {[...group].map((character, place) => (
            <Flex key={place} direction="column" align="center" w="18" gap="1.5">
              <chakra.code
                display="flex"
                alignItems="center"
                justifyContent="center"
                w="full"
                h="20"
                borderWidth="1px"
                borderRadius="l2"
                bg="bg.subtle"
                textStyle="code"
                fontSize="4xl"
                fontWeight="semibold"
                lineHeight="none"
              >
                {character}
              </chakra.code>
              <Text textStyle="xs" color="fg.muted">
                {spokenAs(character)}
              </Text>
            </Flex>
          ))}
        </Flex>
      ))}
    </Flex>
  );
}
