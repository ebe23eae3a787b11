import { Button, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { DenyReason } from '@orchestrate/shared';
import { useId } from 'react';

interface DenyReasonsProps {
  meanings: Record<DenyReason, string>;
  onChoose: (reason: DenyReason) => void;
  onBack: () => void;
}

/** Asks why a request is denied: a stranger's attempt is worth reporting, a change of mind is not. */
export function DenyReasons({ meanings, onChoose, onBack }: DenyReasonsProps) {
  const id = useId();
  return (
    <Flex direction="column" gap="5">
      <Flex direction="column" gap="1.5">
        <Button size="xl" colorPalette="danger" aria-describedby={`${id}-not-me`} onClick={() => onChoose('not-me')}>
          {t`It wasn't me`}
        </Button>
        <Text id={`${id}-not-me`} textStyle="sm" color="fg.muted" textAlign="center">
          {meanings['not-me']}
        </Text>
      </Flex>
      <Flex direction="column" gap="1.5">
        <Button size="xl" variant="outline" aria-describedby={`${id}-cancel`} onClick={() => onChoose('cancel')}>
          {t`Just deny`}
        </Button>
        <Text id={`${id}-cancel`} textStyle="sm" color="fg.muted" textAlign="center">
          {meanings.cancel}
        </Text>
      </Flex>
      <Button variant="ghost" alignSelf="center" onClick={onBack}>
        {t`Don't deny`}
      </Button>
    </Flex>
  );
}
