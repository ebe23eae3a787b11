import { Button, chakra, Flex, Heading, IconButton } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { DeviceState } from '@orchestrate/shared/authenticator';
import { Keyboard, Plus, ScanQrCode } from 'lucide-react';
import { AccountCard } from './account-card.tsx';
import { FirstAccount } from './first-account.tsx';
import type { InboxState, Request } from './inbox.ts';
import type { OpenSheet } from './phone-sheet.ts';

interface PhoneHomeProps {
  accounts: readonly DeviceState[];
  inbox: InboxState;
  /** Requests that were put aside and are still waiting. */
  waiting: readonly Request[];
  onOpen: OpenSheet;
  onOpenRequest: (request: Request) => void;
}

/** The phone's own screen: its accounts, and the two ways to answer what a browser shows. */
export function PhoneHome({ accounts, inbox, waiting, onOpen, onOpenRequest }: PhoneHomeProps) {
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
          <chakra.ul
            aria-label={t`Accounts`}
            display="flex"
            flexDirection="column"
            gap="3"
            flex="1"
            minH="0"
            overflowY="auto"
            px="4"
            pb="4"
            pt="1"
            listStyleType="none"
          >
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
