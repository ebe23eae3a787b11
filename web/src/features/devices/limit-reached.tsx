import { Button } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { DeviceResult } from './device-result.tsx';

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
