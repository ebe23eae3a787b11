import { Box, Flex, Text } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import { Face } from '../faces/face.tsx';
import type { Morning } from './morning-of.ts';

/** Displays today's figures from the organisation's login history. */
export function MorningStrip({ morning }: { morning: Morning }) {
  const { signIns, failed, newDevices, byQuarter, latest } = morning;
  const most = Math.max(1, ...byQuarter);
  return (
    <Flex
      as="section"
      aria-label={t`Today`}
      align="center"
      gap={{ base: '4', sm: '6' }}
      wrap={{ base: 'wrap', sm: 'nowrap' }}
      minH="11"
      px="5"
      py="1.5"
      flexShrink="0"
      bg="bg.panel"
      borderWidth={{ base: '1px', sm: '0 0 1px' }}
      borderRadius={{ base: 'l3', sm: '0' }}
    >
      <Text textStyle="sm" fontWeight="semibold">
        {t`Today`}
      </Text>
      <Figure value={signIns} label={t`signed in`} />
      <Figure value={failed} label={t`failed`} />
      <Figure value={newDevices} label={plural(newDevices, { one: 'new phone', other: 'new phones' })} />
      <Flex aria-hidden align="flex-end" gap="3px" h="6" flex="1" maxW="md" minW="24">
        {byQuarter.map((count, at) => (
          <Box
            key={at}
            flex="1"
            minW="0"
            borderRadius="1px"
            bg={count > 0 ? 'brand.line' : 'bg.emphasized'}
            style={{ height: `${Math.max(8, (100 * count) / most)}%` }}
          />
        ))}
      </Flex>
      <Flex align="center" gap="4" ms={{ sm: 'auto' }} hideBelow="md">
        <Text textStyle="sm" color="fg.muted" whiteSpace="nowrap">
          {t`Latest`}
        </Text>
        <Flex pe="2">
          {latest.map((name) => (
            <Box key={name} me="-2" borderRadius="full" borderWidth="2px" borderColor="bg.panel">
              <Face name={name} size="7" />
            </Box>
          ))}
        </Flex>
      </Flex>
    </Flex>
  );
}

function Figure({ value, label }: { value: number; label: string }) {
  return (
    <Text textStyle="sm" color="fg.muted" whiteSpace="nowrap">
      <Box as="strong" color="fg" fontSize="md" fontWeight="semibold" fontVariantNumeric="tabular-nums">
        {value}
      </Box>{' '}
      {label}
    </Text>
  );
}
