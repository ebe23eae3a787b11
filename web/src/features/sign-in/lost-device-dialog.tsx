import { chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { OrgSettings } from '@orchestrate/shared';
import { Modal } from '#ui/dialog/modal.tsx';

interface LostDeviceDialogProps {
  settings: OrgSettings;
  onClose: () => void;
}

/** Explains what to do if the user lost their phone, or their computer if the organisation has no mobile app. */
export default function LostDeviceDialog({ settings, onClose }: LostDeviceDialogProps) {
  const { name: organisation, mobileAppEnabled } = settings;
  return (
    <Modal isOpen onClose={onClose} title={mobileAppEnabled ? t`Lost your phone?` : t`Lost your computer?`}>
      <Flex direction="column" gap="5">
        <Flex direction="column" gap="1">
          <Text fontWeight="semibold">{t`You have another device registered`}</Text>
          <chakra.ol display="flex" flexDirection="column" gap="1" ps="5" color="fg.muted" listStyleType="decimal">
            <li>{t`Sign in with that device.`}</li>
            <li>
              {mobileAppEnabled
                ? t`On the dashboard, find the lost phone under Registered devices.`
                : t`On the dashboard, find the lost computer under Registered devices.`}
            </li>
            <li>{t`Report it as lost. After that, no one can sign in with it.`}</li>
          </chakra.ol>
        </Flex>
        <Flex direction="column" gap="1">
          <Text fontWeight="semibold">{t`It was your only device`}</Text>
          <Text color="fg.muted">
            {mobileAppEnabled
              ? t`Contact the administrator of ${organisation} now. They'll remove the phone and give you an activation code for your new one.`
              : t`Contact the administrator of ${organisation} now. They'll remove the computer and give you an activation code for your new one.`}
          </Text>
        </Flex>
      </Flex>
    </Modal>
  );
}
