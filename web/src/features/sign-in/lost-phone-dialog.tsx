import { chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Modal } from '../../ui/modal.tsx';

interface LostPhoneDialogProps {
  organisation: string;
  onClose: () => void;
}

/** What to do without the phone. */
export default function LostPhoneDialog({ organisation, onClose }: LostPhoneDialogProps) {
  return (
    <Modal isOpen onClose={onClose} title={t`Lost your phone?`}>
      <Flex direction="column" gap="5">
        <Flex direction="column" gap="1">
          <Text fontWeight="semibold">{t`You have another device registered`}</Text>
          <chakra.ol display="flex" flexDirection="column" gap="1" ps="5" color="fg.muted" listStyleType="decimal">
            <li>{t`Sign in with it.`}</li>
            <li>{t`On the dashboard, find the lost phone under Registered devices.`}</li>
            <li>{t`Report it lost. From that moment nobody can sign in with it.`}</li>
          </chakra.ol>
        </Flex>
        <Flex direction="column" gap="1">
          <Text fontWeight="semibold">{t`It was your only device`}</Text>
          <Text color="fg.muted">{t`Contact the Administrator of ${organisation} now. They remove the phone and give you a new activation code for the next one.`}</Text>
        </Flex>
      </Flex>
    </Modal>
  );
}
