import { Box, Button, Center, chakra, Flex, Grid, Heading, IconButton, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { readQrAddress } from '@orchestrate/shared';
import { type DeviceState, requestTitle } from '@orchestrate/shared/authenticator';
import { format } from 'date-fns';
import { Keyboard, Plus, ScanQrCode, ShieldCheck } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useLabTokenFromHash } from '#lib/session/use-lab-token-from-hash.ts';
import { paths } from '#paths.ts';
import { BrandScope } from '#ui/text/brand-scope.tsx';
import { translateShared } from '#words/words.ts';
import { AccountCard } from './account-card.tsx';
import { AddOptions } from './add/add-options.tsx';
import { AnsweredRequests } from './answered-requests.tsx';
import { authenticator, useBrand } from './phone/this-phone.ts';
import { type Phone, usePhone } from './phone/use-phone.ts';
import type { OpenSheet } from './phone-sheet.ts';
import { PhoneSheets } from './phone-sheets.tsx';
import type { InboxState, Request } from './requests/inbox.ts';
import { RequestSheet } from './requests/request-sheet.tsx';

/** The screen of a phone without accounts, with ways to add an account. */
function FirstAccount({ onOpen }: { onOpen: OpenSheet }) {
  return (
    <Flex direction="column" flex="1" minH="0" overflowY="auto" px="4" pb="6">
      <Flex direction="column" align="center" justify="center" gap="4" flex="1" minH="52" textAlign="center">
        <Center boxSize="16" borderRadius="full" bg="brand.subtle" color="brand.fg">
          <ShieldCheck size={30} strokeWidth={1.5} aria-hidden />
        </Center>
        <Flex direction="column" gap="1">
          <Text fontSize="lg" fontWeight="semibold">
            {t`No accounts yet`}
          </Text>
          <Text color="fg.muted" maxW="64" textWrap="balance">
            {t`Add one to sign in to your organisation without a password.`}
          </Text>
        </Flex>
      </Flex>
      <AddOptions onOpen={onOpen} />
    </Flex>
  );
}

interface PhoneHomeProps {
  accounts: readonly DeviceState[];
  inbox: InboxState;
  /** Dismissed requests that are still pending. */
  waiting: readonly Request[];
  onOpen: OpenSheet;
  onOpenRequest: (request: Request) => void;
}

/** The phone's home screen, with its accounts and buttons to type or scan a code. */
function PhoneHome({ accounts, inbox, waiting, onOpen, onOpenRequest }: PhoneHomeProps) {
  return (
    <chakra.main display="flex" flexDirection="column" flex="1" minH="0">
      <Flex align="center" justify="space-between" ps="6" pe="4" pt="5" pb="4">
        <Heading as="h1" fontSize="1.75rem" fontWeight="bold" letterSpacing="tight">
          {t`Authenticator`}
        </Heading>
        {accounts.length > 0 && (
          <IconButton variant="ghost" size="lg" aria-label={t`Add an account`} onClick={() => onOpen({ name: 'add' })}>
            <Plus />
          </IconButton>
        )}
      </Flex>
      {accounts.length === 0 ? (
        <FirstAccount onOpen={onOpen} />
      ) : (
        <>
          <Box flex="1" minH="0" overflowY="auto" px="4" pb="4" pt="1">
            <chakra.ul aria-label={t`Accounts`} display="flex" flexDirection="column" gap="3" listStyleType="none">
              {accounts.map((account) => (
                <AccountCard
                  key={account.zid}
                  account={account}
                  isNamed={accounts.some((other) => other !== account && other.suid === account.suid)}
                  inbox={inbox.get(account.zid)}
                  waiting={waiting.filter((request) => request.account.zid === account.zid)}
                  onOpen={() => onOpen({ name: 'account', account })}
                  onOpenRequest={onOpenRequest}
                />
              ))}
            </chakra.ul>
            <AnsweredRequests accounts={accounts} />
          </Box>
          <Flex gap="3" px="4" pt="3" pb="calc({spacing.6} + env(safe-area-inset-bottom))">
            <Button size="xl" flex="1" variant="outline" onClick={() => onOpen({ name: 'type' })}>
              <Keyboard aria-hidden />
              {t`Type code`}
            </Button>
            <Button size="xl" flex="1" fontWeight="semibold" onClick={() => onOpen({ name: 'scan' })}>
              <ScanQrCode aria-hidden />
              {t`Scan`}
            </Button>
          </Flex>
        </>
      )}
    </chakra.main>
  );
}

/**
 * Fills the screen of a real phone. On a desktop, draws a phone in the middle of the page. The frame is the
 * containing block for fixed elements, which keeps sheets inside the phone.
 */
function PhoneFrame({ children }: { children: ReactNode }) {
  return (
    <Grid
      minH="view"
      templateColumns={{ base: '1fr', xs: 'auto' }}
      alignContent="center"
      justifyContent="center"
      justifyItems="center"
      rowGap="4"
      p={{ base: '0', xs: '6' }}
      bg={{ base: 'bg', xs: 'bg.muted' }}
    >
      <Flex
        direction="column"
        position="relative"
        w={{ base: 'full', xs: '414px' }}
        h={{ base: 'view', xs: 'min(868px, calc({sizes.view} - 3rem))', sm: 'min(868px, calc({sizes.view} - 6.5rem))' }}
        flexShrink="0"
        overflow="hidden"
        transform="translateZ(0)"
        bg="bg"
        borderRadius={{ base: '0', xs: '52px' }}
        border={{ base: 'none', xs: '12px solid #0C0B0A' }}
        outline={{ base: 'none', xs: '1px solid {colors.border.emphasized}' }}
        boxShadow={{ base: 'none', xs: 'lg' }}
      >
        <StatusBar />
        {children}
      </Flex>
      <Text
        as="aside"
        display={{ base: 'none', sm: 'block' }}
        maxW="sm"
        color="fg.muted"
        textStyle="sm"
        textAlign="center"
        textWrap="balance"
      >
        {t`A simulated phone with real keys. It talks to the portal like any other authenticator.`}
      </Text>
    </Grid>
  );
}

/** The status bar of the simulated phone. */
function StatusBar() {
  return (
    <Flex
      display={{ base: 'none', xs: 'flex' }}
      aria-hidden
      justify="space-between"
      align="center"
      px="7"
      pt="4"
      pb="1"
      textStyle="sm"
      fontWeight="semibold"
    >
      <chakra.span fontVariantNumeric="tabular-nums">{format(authenticator.portalNow(), 'H:mm')}</chakra.span>
      <Box boxSize="3" borderRadius="full" bg="#0C0B0A" position="absolute" left="50%" top="3.5" translate="-50% 0" />
      <chakra.span color="fg.subtle" textStyle="xs" fontWeight="medium">
        {t`simulated`}
      </chakra.span>
    </Flex>
  );
}

/** Query parameter that names the organisation to activate the phone for, set by the portal's activation links. */
const ACTIVATE = 'activate';

/** The simulated authenticator, for desktops and real phones (contract §14). */
export default function AuthenticatorPage() {
  useLabTokenFromHash();
  const phone = usePhone();
  const { requests } = phone;
  const organisation = useBrand(phone.accounts[0]?.orgCode ?? '');
  useScannedAddress(phone);
  const arrived = requests.shown?.isOpen ? requests.shown.request.challenge : null;

  return (
    <PhoneFrame>
      <title>{arrived ? `(1) ${translateShared(requestTitle(arrived))}` : t`Authenticator`}</title>
      <BrandScope colour={organisation?.color} display="flex" flexDirection="column" flex="1" minH="0">
        <PhoneHome
          accounts={phone.accounts}
          inbox={phone.inbox}
          waiting={requests.waiting}
          onOpen={phone.open}
          onOpenRequest={(request) => requests.show(request, false)}
        />
        <PhoneSheets phone={phone} />
      </BrandScope>
      {requests.shown && (
        <RequestSheet
          key={requests.shown.request.challenge.challengeId}
          request={requests.shown.request}
          isOpen={requests.shown.isOpen && !phone.isLeaving}
          onClose={requests.close}
          onAnswered={requests.markAnswered}
          isWithdrawn={requests.isWithdrawn}
        />
      )}
      <chakra.p aria-live="assertive" srOnly>
        {arrived && t`New request from ${arrived.orgName}: ${translateShared(requestTitle(arrived))}`}
      </chakra.p>
    </PhoneFrame>
  );
}

/** Handles a QR code link that was opened by a phone's camera. Handles it only once, even after a reload. */
function useScannedAddress({ open, openScanned }: Phone): void {
  const { search } = useLocation();
  const navigate = useNavigate();
  const opened = useRef('');
  useEffect(() => {
    if (search === opened.current) return;
    opened.current = search;
    const scanned = readQrAddress(`${window.location.origin}${paths.authenticator}${search}`);
    const orgCode = new URLSearchParams(search).get(ACTIVATE);
    if (!scanned && !orgCode) return;
    void navigate(paths.authenticator, { replace: true });
    if (scanned) void openScanned(scanned);
    else if (orgCode) open({ name: 'activate', orgCode });
  });
}
