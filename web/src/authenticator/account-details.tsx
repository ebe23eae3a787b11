import { Button, chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { DeviceState, WatchState } from '@orchestrate/shared/authenticator';
import { useState } from 'react';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { deviceTypeLabel } from '#ui/text/device-icon.tsx';
import { refusalText } from './requests/refusal-text.ts';

interface AccountDetailsProps {
  account: DeviceState;
  connection: WatchState | undefined;
  onRemove: () => void;
}

const words: Record<WatchState['state'], string> = {
  connecting: t`Connecting…`,
  live: t`Connected`,
  reconnecting: t`Reconnecting…`,
  refused: t`Refused`,
};

/** Displays an account's details, with a button to remove it from the phone. */
export function AccountDetails({ account, connection, onRemove }: AccountDetailsProps) {
  const [isAsking, setIsAsking] = useState(false);
  const facts: [string, string][] = [
    [t`Organisation code`, account.orgCode],
    [t`Device name`, account.name],
    [t`Device type`, deviceTypeLabel[account.type]],
    [t`Device ID`, account.zid],
    [t`Connection`, words[connection?.state ?? 'connecting']],
  ];
  return (
    <Flex direction="column" gap="5">
      {connection?.state === 'refused' && <AlertLine tone="warning">{refusalText(connection.refusal).text}</AlertLine>}
      <chakra.dl display="flex" flexDirection="column" px="4" borderRadius="l3" bg="bg.muted">
        {facts.map(([name, value]) => (
          <Flex key={name} gap="4" py="2.5" borderBottomWidth="1px" borderColor="border" _last={{ border: 'none' }}>
            <chakra.dt color="fg.muted" flexShrink="0">
              {name}
            </chakra.dt>
            <chakra.dd
              ms="auto"
              minW="0"
              fontWeight="medium"
              textAlign="end"
              overflowWrap="anywhere"
              {...(value === account.zid ? { textStyle: 'code', fontSize: 'sm' } : {})}
            >
              {value}
            </chakra.dd>
          </Flex>
        ))}
      </chakra.dl>
      {isAsking ? (
        <Flex direction="column" gap="3">
          <Text role="status" textAlign="center" textWrap="balance">
            {t`This deletes the key from this phone. The device stays registered until you delete it in the portal.`}
          </Text>
          <Button size="xl" colorPalette="danger" onClick={onRemove}>
            {t`Remove account`}
          </Button>
          <Button size="lg" variant="ghost" onClick={() => setIsAsking(false)}>
            {t`Keep it`}
          </Button>
        </Flex>
      ) : (
        <Button size="xl" variant="outline" color="fg.error" onClick={() => setIsAsking(true)}>
          {t`Remove from this phone`}
        </Button>
      )}
    </Flex>
  );
}
