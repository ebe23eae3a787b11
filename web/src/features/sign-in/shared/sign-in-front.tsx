import { Box, Button, chakra, Flex, Heading, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { OrgSettings } from '@orchestrate/shared';
import { KeyRound, ShieldCheck } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { apiBaseOf } from '#lib/api/api-bases.ts';
import { storeReturnState } from '#lib/session/session.ts';
import { paths } from '#paths.ts';
import { BrandPanel } from './brand-panel.tsx';
import { signInButtonLabelOf, signInTitleOf } from './brand-words.ts';
import { OrganisationMark } from './logo.tsx';
import { PageFrame } from './page-frame.tsx';

const Line = () => <chakra.span flex="1" h="1px" bg="border" />;

/**
 * Link to the organisation's own identity provider. Uses plain navigation, because the provider responds with a page.
 */
export function SingleSignOn({ orgCode, label }: { orgCode: string; label: string }) {
  const { state } = useLocation();
  const address = `${apiBaseOf('Settings')}/oidc/login?${new URLSearchParams({ orgCode })}`;
  return (
    <Button asChild variant="outline" size="lg" flex="1 1 9rem" minW="fit-content" maxW="full">
      <a href={address} onClick={() => storeReturnState(state)}>
        <ShieldCheck aria-hidden />
        <chakra.span truncate>{label}</chakra.span>
      </a>
    </Button>
  );
}

interface SignInFrontProps {
  settings: OrgSettings;
  footer: ReactNode;
  /** Action of the main button before a method is opened. Undefined in a preview, whose titles must not be headings. */
  onOpen?: () => void;
  /** True from when the button is pressed until a method opens. */
  isOpening?: boolean;
  /** Opens the passkey method. Undefined if it isn't available. */
  onPasskey?: (() => void) | undefined;
  /** The member whom this browser remembers, above the main button. */
  remembered?: ReactNode;
  buttonRef?: Ref<HTMLButtonElement>;
  /** Label of the main button, if it isn't the organisation's. */
  label?: string | undefined;
  /** Why the main button didn't work. */
  problem?: ReactNode;
  /**
   * What replaces the button. `methods` are in the second column, with their `steps` in the first. A `result` is in the
   * first column, below its `text`.
   */
  opened?: { text?: string; methods?: ReactNode; steps?: ReactNode; result?: ReactNode } | undefined;
  /** True while a device approves: only the status and Cancel remain. */
  isApproving?: boolean;
  /** Why the user must sign in, in one sentence. */
  note?: string | undefined;
  /** Name of the application to sign in to; undefined for the portal. */
  application?: string | undefined;
}

/**
 * The sign-in screen in an organisation's branding. It doesn't start a sign-in automatically, so a preview can render
 * it too.
 */
export function SignInFront({ settings, footer, onOpen, opened, application, note, ...front }: SignInFrontProps) {
  const { orgCode, name, logo, mobileAppEnabled, portalOidcEnabled, oidcButtonLabel } = settings;
  const title = signInTitleOf(settings);
  const hasSingleSignOn = !application && portalOidcEnabled;
  const hasPasskeys = !opened && front.onPasskey !== undefined;
  return (
    <PageFrame
      as={onOpen ? 'main' : 'div'}
      isSideOptional={!opened?.methods}
      side={opened?.methods ?? <BrandPanel orgCode={orgCode} settings={settings} />}
      footer={footer}
      more={
        !front.isApproving && (
          <>
            <Flex direction="column" gap="6">
              {/* As high as three steps, so that nothing moves when they are loaded. */}
              {opened?.steps && <Box minH="6.5rem">{opened.steps}</Box>}
              {(hasPasskeys || hasSingleSignOn) && (
                <Flex direction="column" gap="5">
                  <Flex align="center" gap="3" color="fg.subtle" textStyle="xs">
                    <Line />
                    <Text>{t`or`}</Text>
                    <Line />
                  </Flex>
                  <Flex wrap="wrap" gap="2.5">
                    {hasPasskeys && (
                      <Button variant="outline" size="lg" flex="1 1 9rem" onClick={front.onPasskey}>
                        <KeyRound aria-hidden />
                        {t`Passkey`}
                      </Button>
                    )}
                    {hasSingleSignOn && <SingleSignOn orgCode={orgCode} label={oidcButtonLabel} />}
                  </Flex>
                </Flex>
              )}
            </Flex>
            {!opened?.result && !application && (
              <Text color="fg.muted">
                {t`New here?`}{' '}
                <Button asChild variant="plain" h="auto" minW="0" px="0">
                  <Link to={paths.signUp(orgCode)}>{t`Join`}</Link>
                </Button>
              </Text>
            )}
          </>
        )
      }
    >
      <Flex direction="column" gap="6">
        <OrganisationMark logo={logo} name={name} title={title} />
        <Flex direction="column" gap="1.5">
          <Heading as={onOpen ? 'h1' : 'p'} size="xl" overflowWrap="anywhere">
            {title}
          </Heading>
          {application && (
            <Text fontSize="md" fontWeight="medium" overflowWrap="anywhere">
              {t`to continue to ${application}`}
            </Text>
          )}
          {note && <Text fontSize="md">{note}</Text>}
          <Text color="fg.muted" fontSize="md">
            {opened?.text ??
              (mobileAppEnabled
                ? t`No password: your phone is all you need.`
                : t`No password: your computer is all you need.`)}
          </Text>
        </Flex>
        {opened ? (
          opened.result
        ) : (
          <Flex direction="column" gap="3">
            {front.remembered}
            <Button
              {...(front.buttonRef && { ref: front.buttonRef })}
              size="xl"
              w="full"
              onClick={onOpen}
              disabled={front.isOpening === true}
              h="auto"
              minH="12"
              py="2"
              whiteSpace="normal"
              overflowWrap="anywhere"
            >
              {front.label ?? signInButtonLabelOf(settings)}
            </Button>
            {front.problem}
          </Flex>
        )}
      </Flex>
    </PageFrame>
  );
}
