import { Box, chakra, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Section } from '../ui/section.tsx';
import type { Operation } from './operations.ts';

const cell = { px: '5', py: '2', textAlign: 'start', verticalAlign: 'baseline' } as const;

/** Every result that an operation may answer, by HTTP status. */
export function ResultTable({ operation: { results } }: { operation: Operation }) {
  return (
    <Section title={t`Results`} isFlush>
      <Box overflowX="auto" tabIndex={0} role="group" aria-label={t`Results`} outline="0" focusVisibleRing="inside">
        <chakra.table w="full" textStyle="sm" css={{ '& tbody tr': { borderTopWidth: '1px' } }}>
          <thead>
            <tr>
              {['HTTP', t`Code`, t`Name and meaning`].map((name) => (
                <chakra.th key={name} scope="col" {...cell} fontWeight="medium" color="fg.muted" textStyle="xs">
                  {name}
                </chakra.th>
              ))}
            </tr>
          </thead>
          <tbody>
            {results.map(({ status, code, name, sentence }) => (
              <tr key={`${status} ${name}`}>
                <chakra.td {...cell} textStyle="code">
                  {status}
                </chakra.td>
                <chakra.td {...cell} textStyle="code">
                  {code ?? '–'}
                </chakra.td>
                <chakra.td {...cell} w="full">
                  {name && (
                    <Text as="span" display="block" textStyle="code" fontSize="xs" overflowWrap="anywhere">
                      {name}
                    </Text>
                  )}
                  <Text as="span" color="fg.muted">
                    {sentence}
                  </Text>
                </chakra.td>
              </tr>
            ))}
          </tbody>
        </chakra.table>
      </Box>
    </Section>
  );
}
