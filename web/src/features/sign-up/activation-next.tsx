import { Box, Button, chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { LIMITS } from '@orchestrate/shared';
import { BadgeCheck, MailCheck, Smartphone } from 'lucide-react';
import { Link } from 'react-router-dom';
import { activationLink } from '../../lib/address/activation-link.ts';
import { hasOwnAuthenticator } from '../../lib/address/qr-template.ts';
import { paths } from '../../paths.ts';
import { CodeDisplay } from '../../ui/code-display.tsx';
import { IconTile } from '../../ui/icon-tile.tsx';
import { OutboxLink } from './outbox-link.tsx';

const hours = LIMITS.activationCodeLifetimeSeconds / 3_600;

/** From the mailed activation code to the first sign-in. */
export function ActivationNext({ orgCode, email }: { orgCode: string; email: string }) {
  const steps = [
    {
      icon: MailCheck,
      text: t`Find the six digits in the email. They're valid for ${hours} hours and can be used once.`,
    },
    {
      icon: Smartphone,
      text: t`Type them into the authenticator, with your email address and this organisation code:`,
    },
    { icon: BadgeCheck, text: t`Sign in: your device approves from now on.` },
  ];
  return (
    <Flex direction="column" gap="6">
      <chakra.ol display="flex" flexDirection="column" gap="4" listStyleType="none">
        {steps.map(({ icon: Icon, text }, at) => (
          <chakra.li key={text} display="flex" gap="3.5">
            <IconTile tone="brand">
              <Icon size={18} aria-hidden />
            </IconTile>
            <Flex direction="column" gap="2.5" flex="1" minW="0" pt="1.5">
              <Text>{text}</Text>
              {at === 1 && <CodeDisplay code={orgCode} label={t`Organisation code`} />}
            </Flex>
          </chakra.li>
        ))}
      </chakra.ol>
      <Flex direction="column" gap="2.5">
        {hasOwnAuthenticator() && (
          <Button asChild size="xl">
            <a href={activationLink(orgCode)} target="_blank" rel="noreferrer">
              {t`Open the authenticator`}
            </a>
          </Button>
        )}
        <Button asChild size="xl" variant="outline">
          <Link to={paths.signIn(orgCode)}>{t`Go to sign-in`}</Link>
        </Button>
        <Box alignSelf="center">
          <OutboxLink to={email} />
        </Box>
      </Flex>
    </Flex>
  );
}
