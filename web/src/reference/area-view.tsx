import { Box, chakra, Flex, Heading, Text } from '@chakra-ui/react';
import { Link } from 'react-router-dom';
import { MethodMark } from './method-mark.tsx';
import type { Area } from './operations.ts';
import { referencePaths } from './reference-paths.ts';
import { Worded } from './worded.tsx';

/** The operations of an area, each in a line. */
export function AreaView({ area: { name, description, operations } }: { area: Area }) {
  return (
    <Flex direction="column" gap="5" maxW="4xl">
      <Box>
        <Heading as="h1" size="xl" tabIndex={-1} outline="0">
          {name}
        </Heading>
        <Text color="fg.muted" mt="1" lineHeight="tall">
          <Worded text={description} />
        </Text>
      </Box>
      <chakra.ul
        listStyleType="none"
        bg="bg.panel"
        borderWidth="1px"
        borderRadius="l3"
        overflow="hidden"
        css={{ '& > li + li': { borderTopWidth: '1px' } }}
      >
        {operations.map(({ id, method, path, summary }) => (
          <chakra.li key={id} position="relative" px="4" py="3" _hover={{ bg: 'bg.subtle' }}>
            <Flex gap="2" align="baseline">
              <MethodMark method={method} />
              <chakra.span
                textStyle="code"
                fontSize="sm"
                overflowWrap="anywhere"
                minW="0"
                css={{ '& a::after': { content: '""', position: 'absolute', inset: '0' } }}
              >
                <Link to={referencePaths.operation(id)}>{path}</Link>
              </chakra.span>
            </Flex>
            <Text textStyle="sm" color="fg.muted" mt="0.5">
              <Worded text={summary} />
            </Text>
          </chakra.li>
        ))}
      </chakra.ul>
    </Flex>
  );
}
