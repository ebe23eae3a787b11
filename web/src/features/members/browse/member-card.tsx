import { Box, chakra, Flex, Link, Text } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import { fullNameOf, type Member } from '@orchestrate/shared';
import { Smartphone, TriangleAlert } from 'lucide-react';
import type { ReactNode, RefCallback } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { StatusBadge } from '#ui/feedback/status-badge.tsx';
import { InitialsAvatar } from '#ui/text/initials-avatar.tsx';
import { isGreyedOut, statusBadge } from '../shared/member-status.ts';

interface MemberCardProps {
  member: Member;
  /** URL of the member's page, to which the whole card links. */
  to: string;
  /** The list's search parameters, restored if the member is deleted. */
  cameFrom: string;
  menu?: ReactNode;
  /** Checkbox that selects the member. */
  choice?: ReactNode;
  ref?: RefCallback<HTMLElement> | undefined;
}

/**
 * Returns true if an active member's email address isn't verified. Other members aren't checked, because they verify
 * their address at the first sign-in.
 */
const isEmailUnverified = ({ accountStatus, emailVerified }: Member): boolean =>
  accountStatus === 'active' && !emailVerified;

/** Summarises a member. The card is greyed out if the member can't sign in. */
export function MemberCard({ member, to, cameFrom, menu, choice, ref }: MemberCardProps) {
  const isOff = isGreyedOut(member.accountStatus);
  const name = fullNameOf(member);
  const quiet = isOff ? 'fg.subtle' : 'fg.muted';
  return (
    <chakra.li
      ref={ref}
      position="relative"
      display="flex"
      flexDirection="column"
      gap="3.5"
      minW="0"
      p="5"
      bg={isOff ? 'bg.subtle' : 'bg.panel'}
      borderWidth="1px"
      borderRadius="l3"
      transition="border-color 120ms, box-shadow 120ms"
      _hover={{ borderColor: 'border.emphasized', boxShadow: 'xs' }}
      _focusWithin={{ borderColor: 'border.emphasized' }}
      css={{ '&:has(input:checked)': { borderColor: 'brand.line' } }}
    >
      <Flex gap="3" align="flex-start">
        {choice && (
          // Raise the checkbox above the link, which comes later in the DOM and covers the card.
          <Box position="relative" zIndex="1" flexShrink="0" pt="2">
            {choice}
          </Box>
        )}
        <InitialsAvatar name={name} size="md" isGrey={isOff} />
        <Box flex="1" minW="0">
          <Link
            asChild
            textDecoration="none"
            // Leave room for the menu.
            maxW={menu ? 'calc(100% - 1.5rem)' : 'full'}
            fontWeight="semibold"
            color={isOff ? 'fg.subtle' : 'fg'}
            focusVisibleRing="none"
            _before={{ content: '""', position: 'absolute', inset: '0', borderRadius: 'l3' }}
            _focusVisible={{ _before: { outline: '2px solid {colors.brand.focusRing}', outlineOffset: '2px' } }}
          >
            <RouterLink to={to} state={{ listSearch: cameFrom }}>
              <chakra.span truncate>{name}</chakra.span>
            </RouterLink>
          </Link>
          <Flex align="center" gap="1.5" minW="0">
            <Text textStyle="sm" color={quiet} truncate title={member.primaryEmail}>
              {member.primaryEmail}
            </Text>
            {isEmailUnverified(member) && (
              <Flex
                as="span"
                role="img"
                aria-label={t`Email not verified`}
                title={t`Email not verified`}
                color="warning.fg"
                flexShrink="0"
              >
                <TriangleAlert size={14} aria-hidden />
              </Flex>
            )}
          </Flex>
        </Box>
        {menu && (
          <Box position="absolute" top="2" insetInlineEnd="2">
            {menu}
          </Box>
        )}
      </Flex>
      <Flex align="center" gap="2.5" minW="0">
        <StatusBadge {...statusBadge(member.accountStatus)} />
        <Text textStyle="sm" color={quiet} truncate>
          {member.roleName}
        </Text>
      </Flex>
      <Flex align="center" justify="space-between" gap="3" pt="3.5" borderTopWidth="1px" color={quiet}>
        <Text textStyle="code" fontSize="sm" truncate>
          {member.primaryAttr}
        </Text>
        <Flex
          as="span"
          role="img"
          aria-label={plural(member.deviceCount, { one: '# device', other: '# devices' })}
          align="center"
          gap="1.5"
          textStyle="sm"
          fontVariantNumeric="tabular-nums"
        >
          <Smartphone size={15} strokeWidth={1.75} aria-hidden />
          {member.deviceCount}
        </Flex>
      </Flex>
    </chakra.li>
  );
}
