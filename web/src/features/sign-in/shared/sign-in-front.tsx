import { Button, chakra, Flex, Heading, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { OrgSettings } from '@orchestrate/shared';
import { ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { apiBaseOf } from '#lib/api/api-bases.ts';
import { storeReturnState } from '#lib/session/session.ts';
import { paths } from '#paths.ts';
import { BrandPanel } from './brand-panel.tsx';
import { signInButtonLabelOf, signInTitleOf } from './brand-words.ts';
import { Logo } from './logo.tsx';
import { PageFrame } from './page-frame.tsx';

const Line = () => <chakra.span flex="1" h="1px" bg="border" />;

/**
 * Link to the organisation's own identity provider. Uses plain navigation, because the provider responds with a page.
 */
export function SingleSignOn({ orgCode, label }: { orgCode: string; label: string }) {
  const { state } = useLocation();
  const address = `${apiBaseOf('Settings')}/oidc/login?${new URLSearchParams({ orgCode })}`;
  return (
    <Flex direction="column" gap="6">
      <Flex align="center" gap="3" color="fg.subtle" textStyle="xs">
        <Line />
        <Text>{t`or`}</Text>
        <Line />
      </Flex>
      <Button asChild variant="outline" size="xl" w="full" textStyle="md">
        <a href={address} onClick={() => storeReturnState(state)}>
          <ShieldCheck aria-hidden />
          <chakra.span truncate>{label}</chakra.span>
        </a>
      </Button>
    </Flex>
  );
}

interface SignInFrontProps {
  settings: OrgSettings;
  footer: ReactNode;
  /** Action of the main button before a method is opened. Undefined in a preview, whose titles must not be headings. */
  onOpen?: () => void;
  /** True from when the button is pressed until a method opens. */
  isOpening?: boolean;
  /** Sign-in method that replaces the button, with a one-sentence instruction. */
  opened?: { text: string; methods: ReactNode } | undefined;
  /** Why the user must sign in, in one sentence. */
  note?: string | undefined;
  /** Name of the application to sign in to; undefined for the portal. */
  application?: string | undefined;
}

/**
 * The sign-in screen in an organisation's branding. It doesn't start a sign-in automatically, so a preview can render
 * it too.
 */
export function SignInFront({ settings, footer, onOpen, isOpening, opened, application, note }: SignInFrontProps) {
  return (
    <PageFrame
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
              {signInTitleOf(settings)}
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
            {signInButtonLabelOf(settings)}
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
    </PageFrame>
  );
}
