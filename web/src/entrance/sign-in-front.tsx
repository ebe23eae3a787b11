import { Button, Flex, Heading, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { OrgSettings } from '@orchestrate/shared';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '../paths.ts';
import { BrandPanel } from './brand-panel.tsx';
import { buttonOf, titleOf } from './brand-words.ts';
import { EntranceFrame } from './entrance-frame.tsx';
import { Logo } from './logo.tsx';
import { SingleSignOn } from './single-sign-on.tsx';

interface SignInFrontProps {
  settings: OrgSettings;
  footer: ReactNode;
  /** The main button's action while the page is closed; absent in a preview, which has no headings of its own. */
  onOpen?: () => void;
  /** The button has been pressed, and the page is not open yet. */
  isOpening?: boolean;
  /** The sign-in method that replaces the button, and one sentence of instruction. */
  opened?: { text: string; methods: ReactNode } | undefined;
  /** Why the person is here, in one sentence. */
  note?: string | undefined;
  /** The application to sign in to, where it is not the portal. */
  application?: string | undefined;
}

/** The sign-in page in an organisation's branding; it starts nothing by itself, so that a preview can show it too. */
export function SignInFront({ settings, footer, onOpen, isOpening, opened, application, note }: SignInFrontProps) {
  return (
    <EntranceFrame
      as={onOpen ? 'main' : 'div'}
      isFull={opened !== undefined}
      brand={<BrandPanel orgCode={settings.orgCode} settings={settings} />}
      footer={footer}
    >
      <Flex direction="column" gap="6">
        <Flex direction="column" gap="6">
          <Logo key={settings.logo} src={settings.logo} name={settings.name} />
          <Flex direction="column" gap="1.5">
            <Heading as={onOpen ? 'h1' : 'p'} size="xl" overflowWrap="anywhere">
              {titleOf(settings)}
            </Heading>
            {application && (
              <Text fontSize="md" fontWeight="medium" overflowWrap="anywhere">
                {t`to continue to ${application}`}
              </Text>
            )}
            {note && <Text fontSize="md">{note}</Text>}
            <Text color="fg.muted" fontSize="md">
              {opened?.text ??
                (settings.mobileAppEnabled
                  ? t`No password: your phone is all you need.`
                  : t`No password: your computer is all you need.`)}
            </Text>
          </Flex>
        </Flex>
        {opened?.methods ?? (
          <Button size="xl" w="full" onClick={onOpen} disabled={isOpening === true}>
            {buttonOf(settings)}
          </Button>
        )}
        {!application && settings.portalOidcEnabled && (
          <SingleSignOn orgCode={settings.orgCode} label={settings.oidcButtonLabel} />
        )}
        {!opened && !application && (
          <Text color="fg.muted" textAlign="center">
            {t`New here?`}{' '}
            <Button asChild variant="plain" h="auto" minW="0" px="0">
              <Link to={paths.signUp(settings.orgCode)}>{t`Join`}</Link>
            </Button>
          </Text>
        )}
      </Flex>
    </EntranceFrame>
  );
}
