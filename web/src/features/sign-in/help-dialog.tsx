import { Button, chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { OrgSettings } from '@orchestrate/shared';
import { BadgeCheck, CircleHelp, Monitor, ScanLine, Smartphone } from 'lucide-react';
import { Link, useParams } from 'react-router-dom';
import { paths } from '#paths.ts';
import { Modal } from '#ui/dialog/modal.tsx';
import { IconTile } from '#ui/text/icon-tile.tsx';

const stepsFor = ({ mobileAppEnabled }: OrgSettings) => [
  {
    icon: mobileAppEnabled ? Smartphone : Monitor,
    title: t`Have your authenticator ready`,
    text: mobileAppEnabled
      ? t`You'll need the app on the phone or computer that you registered. Your administrator can send you an activation code for it.`
      : t`You'll need the app on the computer that you registered. Your administrator can send you an activation code for it.`,
  },
  {
    icon: ScanLine,
    title: t`Scan the code, type it or get a request`,
    text: mobileAppEnabled
      ? t`Scan the QR code on this page, type the eight-character code, or have us send a request to your phone and compare the numbers.`
      : t`Scan the QR code on this page, type the eight-character code, or have us send a request to your computer and compare the numbers.`,
  },
  {
    icon: BadgeCheck,
    title: t`Approve`,
    text: t`Check that the request is yours, then approve it. Your dashboard opens automatically.`,
  },
];

interface HelpDialogProps {
  settings: OrgSettings;
  onClose: () => void;
}

/** Dialog that explains how to sign in, in three steps. */
export default function HelpDialog({ settings, onClose }: HelpDialogProps) {
  const { name: organisation } = settings;
  const { orgId = '' } = useParams();
  return (
    <Modal isOpen onClose={onClose} title={t`How to sign in`} description={t`Three steps, no password.`}>
      <Flex direction="column" gap="5">
        <chakra.ol display="flex" flexDirection="column" gap="4">
          {stepsFor(settings).map(({ icon: Icon, title, text }) => (
            <chakra.li key={title} display="flex" gap="3.5">
              <IconTile tone="brand">
                <Icon size={18} aria-hidden />
              </IconTile>
              <Flex direction="column" gap="0.5">
                <Text fontWeight="semibold">{title}</Text>
                <Text color="fg.muted">{text}</Text>
              </Flex>
            </chakra.li>
          ))}
        </chakra.ol>
        <Text
          textStyle="sm"
          color="fg.muted"
          borderTopWidth="1px"
          pt="4"
        >{t`A code is valid for two minutes, and you can get a new one at any time. Still not working? Your administrator at ${organisation} can send you a new activation code.`}</Text>
        <Button asChild variant="outline" alignSelf="flex-start">
          <Link to={paths.faq(orgId)}>
            <CircleHelp aria-hidden />
            {t`Frequently asked questions`}
          </Link>
        </Button>
      </Flex>
    </Modal>
  );
}
