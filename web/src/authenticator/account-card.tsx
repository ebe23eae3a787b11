import { chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { type DeviceState, requestTitle } from '@orchestrate/shared/authenticator';
import { BellRing, ChevronRight, TriangleAlert, WifiOff } from 'lucide-react';
import { joinWithDots } from '#lib/format/text.ts';
import { BrandScope } from '#ui/text/brand-scope.tsx';
import { DeviceIcon } from '#ui/text/device-icon.tsx';
import { translateShared } from '#words/words.ts';
import { OrganisationTile } from './organisation-tile.tsx';
import { useBrand } from './phone/this-phone.ts';
import type { AccountInbox, Request } from './requests/inbox.ts';
import { refusalText } from './requests/refusal-text.ts';

interface AccountCardProps {
  account: DeviceState;
  /** True if the user has several accounts on this phone. The device name then tells them apart. */
  isNamed: boolean;
  inbox: AccountInbox | undefined;
  /** Dismissed requests that are still pending. */
  waiting: readonly Request[];
  onOpen: () => void;
  onOpenRequest: (request: Request) => void;
}

/** Displays an account in its organisation's colour, with its pending requests and connection state. */
export function AccountCard({ account, isNamed, inbox, waiting, onOpen, onOpenRequest }: AccountCardProps) {
  const organisation = useBrand(account.orgCode);
  const state = inbox?.connection.state;
  return (
    <BrandScope colour={organisation?.color} as="li" display="flex" flexDirection="column" gap="1.5">
      <chakra.button
        type="button"
        onClick={onOpen}
        aria-haspopup="dialog"
        display="flex"
        alignItems="center"
        gap="3"
        w="full"
        px="4.5"
        py="4"
        borderRadius="xl"
        bg="brand.solid"
        color="brand.contrast"
        textAlign="start"
        cursor="pointer"
        outline="0"
        focusVisibleRing="outside"
        transition="filter 120ms"
        _hover={{ filter: 'brightness(0.97)' }}
      >
        <OrganisationTile name={account.orgName} isInverted />
        <Flex direction="column" minW="0" flex="1">
          <Text fontWeight="semibold" fontSize="lg" letterSpacing="snug" lineHeight="short" overflowWrap="anywhere">
            {account.orgName}
          </Text>
          <Text textStyle="sm" overflowWrap="anywhere">
            {isNamed ? joinWithDots(account.email, account.name) : (account.email ?? account.name)}
          </Text>
        </Flex>
        <DeviceIcon type={account.type} size={18} />
      </chakra.button>
      {inbox?.connection.state === 'refused' && (
        <Note icon={<TriangleAlert size={14} aria-hidden />} tone="warning">
          {refusalText(inbox.connection.refusal).title}
        </Note>
      )}
      {state === 'reconnecting' && <Note icon={<WifiOff size={14} aria-hidden />}>{t`Reconnecting…`}</Note>}
      {waiting.map((request) => (
        <chakra.button
          key={request.challenge.challengeId}
          type="button"
          onClick={() => onOpenRequest(request)}
          display="flex"
          alignItems="center"
          gap="3"
          w="full"
          minH="12"
          px="4.5"
          borderRadius="l3"
          borderWidth="1px"
          borderColor="border"
          bg="bg.panel"
          textAlign="start"
          cursor="pointer"
          outline="0"
          focusVisibleRing="outside"
          _hover={{ bg: 'bg.muted' }}
        >
          <BellRing size={16} aria-hidden />
          <Text flex="1" minW="0" truncate fontWeight="medium">
            {translateShared(requestTitle(request.challenge))}
          </Text>
          <ChevronRight size={16} aria-hidden />
        </chakra.button>
      ))}
    </BrandScope>
  );
}

function Note({ icon, tone, children }: { icon: React.ReactNode; tone?: 'warning'; children: string }) {
  return (
    <Flex
      role="status"
      align="center"
      gap="2"
      px="4.5"
      py="0.5"
      textStyle="sm"
      color={tone ? 'warning.fg' : 'fg.subtle'}
    >
      {icon}
      {children}
    </Flex>
  );
}
