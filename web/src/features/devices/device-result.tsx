import { Button, chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Check, CircleSlash, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconMessage } from '#ui/feedback/icon-message.tsx';

const looks = {
  success: { Icon: Check, tone: 'success' },
  failed: { Icon: X, tone: 'danger' },
  over: { Icon: CircleSlash, tone: 'neutral' },
} as const;

interface DeviceResultProps {
  look: keyof typeof looks;
  title: string;
  text?: string;
  children?: ReactNode;
}

/** Shows the outcome of an exchange with a device, with an icon, a sentence, and details or actions. */
export function DeviceResult({ look, title, text, children }: DeviceResultProps) {
  const { Icon, tone } = looks[look];
  return (
    <IconMessage icon={<Icon size={30} strokeWidth={2} aria-hidden />} tone={tone} title={title} text={text}>
      {children}
    </IconMessage>
  );
}

/** Lists facts in two columns, for a card below a result. */
export function FactList({ facts }: { facts: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <chakra.dl
      display="grid"
      gridTemplateColumns="auto 1fr"
      columnGap="6"
      rowGap="2.5"
      w="full"
      px="5"
      py="4"
      textAlign="start"
      borderWidth="1px"
      borderRadius="l3"
      bg="bg.subtle"
    >
      {facts.map(([label, value]) => (
        <Flex key={label} display="contents">
          <Text as="dt" color="fg.muted">
            {label}
          </Text>
          <Text as="dd" fontWeight="medium" textAlign="end" overflowWrap="anywhere">
            {value}
          </Text>
        </Flex>
      ))}
    </chakra.dl>
  );
}

/** Explains that the user has reached the organisation's device limit. */
export function LimitReached({ onClose }: { onClose: () => void }) {
  return (
    <DeviceResult
      look="over"
      title={t`Device limit reached`}
      text={t`You've reached your organisation's device limit. Remove a device to add another.`}
    >
      <Button onClick={onClose}>{t`Close`}</Button>
    </DeviceResult>
  );
}
