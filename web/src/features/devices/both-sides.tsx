import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { DeviceType } from '@orchestrate/shared';
import { AppWindow } from 'lucide-react';
import { DeviceIcon } from '#ui/text/device-icon.tsx';

interface BothSidesProps {
  /** Sentence displayed for this screen. */
  here: string;
  /** Sentence displayed for the device. */
  there: string;
  /** Heading above the device's sentence, e.g. 'On the new device'. */
  thereLabel: string;
  device: DeviceType;
}

/** Shows both sides of an exchange between this screen and a device, to tell users where to look. */
export function BothSides({ here, there, thereLabel, device }: BothSidesProps) {
  const sides = [
    { label: t`On this screen`, text: here, icon: <AppWindow size={16} strokeWidth={1.75} aria-hidden /> },
    { label: thereLabel, text: there, icon: <DeviceIcon type={device} /> },
  ];
  return (
    <chakra.dl
      display="grid"
      gridTemplateColumns={{ base: '1fr', xs: '1fr 1fr' }}
      gap={{ base: '2', xs: '4' }}
      px="4"
      py="3"
      bg="bg.subtle"
      borderWidth="1px"
      borderRadius="l2"
      aria-live="polite"
    >
      {sides.map(({ label, text, icon }) => (
        <Flex key={label} direction="column" gap="0.5" minW="0">
          <Flex as="dt" align="center" gap="2" textStyle="xs" fontWeight="medium" color="fg.muted">
            <Box flexShrink="0">{icon}</Box>
            {label}
          </Flex>
          <Text as="dd" textStyle="sm">
            {text}
          </Text>
        </Flex>
      ))}
    </chakra.dl>
  );
}
