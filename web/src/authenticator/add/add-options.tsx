import { Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { FlaskConical, Keyboard, KeyRound, ScanQrCode } from 'lucide-react';
import { useDemoDevices } from '../phone/use-demo-devices.ts';
import type { OpenSheet } from '../phone-sheet.ts';
import { OptionRow } from './option-row.tsx';

/** Displays the ways to add an account. Demo devices are offered only if the lab is available. */
export function AddOptions({ onOpen, orgCode }: { onOpen: OpenSheet; orgCode?: string }) {
  const demo = useDemoDevices();
  const known = orgCode ? { orgCode } : {};
  return (
    <Flex direction="column" gap="2.5">
      <OptionRow
        icon={KeyRound}
        title={t`Activation code`}
        text={t`Six digits from your organisation`}
        onClick={() => onOpen({ name: 'activate', ...known })}
      />
      <OptionRow
        icon={ScanQrCode}
        title={t`Scan a code`}
        text={t`Shown under Add device in the portal`}
        onClick={() => onOpen({ name: 'scan' })}
      />
      <OptionRow
        icon={Keyboard}
        title={t`Type an add-device code`}
        text={t`Eight characters, next to the QR code`}
        onClick={() => onOpen({ name: 'pair', ...known })}
      />
      {demo && demo.length > 0 && (
        <OptionRow
          icon={FlaskConical}
          title={t`Use a demo device`}
          text={t`Use a demo user's account`}
          onClick={() => onOpen({ name: 'demo', ...known })}
        />
      )}
    </Flex>
  );
}
