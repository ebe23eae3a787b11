import { Button, Center, chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { BadgeCheck, Keyboard, type LucideIcon, Megaphone } from 'lucide-react';
import { useNavigate } from 'react-router-dom';
import { Section } from '../../ui/section.tsx';
import { callerPaths, nextVerification } from './caller-address.ts';

const steps: { icon: LucideIcon; title: string; text: string }[] = [
  {
    icon: Megaphone,
    title: t`Read the code out`,
    text: t`Eight characters, valid for one caller and a short time.`,
  },
  {
    icon: Keyboard,
    title: t`The caller types it`,
    text: t`In the authenticator, under Type code, on a registered device.`,
  },
  {
    icon: BadgeCheck,
    title: t`You see who it is`,
    text: t`Only if the caller consents. If they refuse, you learn nothing else.`,
  },
];

/** How it works, and the button to begin. */
export function CallerIntro() {
  const navigate = useNavigate();
  return (
    <Section>
      <Flex direction="column" gap="7" align="center" py="6">
        <chakra.ol
          display="grid"
          gridTemplateColumns={{ base: 'minmax(0, 1fr)', xs: 'repeat(3, minmax(0, 1fr))' }}
          gap="6"
          w="full"
          listStyleType="none"
          textAlign={{ base: 'start', xs: 'center' }}
        >
          {steps.map(({ icon: Icon, title, text }) => (
            <chakra.li
              key={title}
              display="flex"
              flexDirection={{ base: 'row', xs: 'column' }}
              alignItems="center"
              gap={{ base: '4', xs: '3' }}
            >
              <Center boxSize="12" flexShrink="0" borderRadius="full" bg="brand.subtle" color="brand.fg">
                <Icon size={22} strokeWidth={1.75} aria-hidden />
              </Center>
              <Flex direction="column" gap="1">
                <Text fontWeight="semibold">{title}</Text>
                <Text color="fg.muted" maxW="56" textWrap="balance">
                  {text}
                </Text>
              </Flex>
            </chakra.li>
          ))}
        </chakra.ol>
        <Button size="lg" onClick={() => void navigate(callerPaths.generate, { state: nextVerification() })}>
          {t`Generate`}
        </Button>
      </Flex>
    </Section>
  );
}
