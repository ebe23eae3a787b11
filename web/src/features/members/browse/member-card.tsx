import { Box, chakra, Flex, Link, Text } from '@chakra-ui/react';
import { plural, t } from '@lingui/core/macro';
import { fullNameOf, type Member } from '@orchestrate/shared';
import { Smartphone, TriangleAlert } from 'lucide-react';
import type { MouseEvent, ReactNode, RefCallback } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { ROW_KEY } from '#lib/browser/use-virtual-rows.ts';
import { StatusBadge } from '#ui/feedback/status-badge.tsx';
import { InitialsAvatar } from '#ui/text/initials-avatar.tsx';
import { MatchedText } from '#ui/text/matched-text.tsx';
import { isGreyedOut, statusBadge } from '../shared/member-status.ts';
import type { MemberQuery } from './use-member-search.ts';

/** A list item for a member, as a card or a table row. */
export interface MemberItemProps {
  member: Member;
  /** URL of the member's page. */
  to: string;
  /** The list's search parameters, restored if the member is deleted. */
  cameFrom: string;
  menu?: ReactNode;
  /** Checkbox that selects the member. */
  choice?: ReactNode;
  /** Search whose matches are highlighted. */
  query?: Pick<MemberQuery, 'q' | 'field'> | undefined;
  /** Opens the preview. Without it, the whole card links to the member's page. */
  onPeek?: ((member: Member) => void) | undefined;
  isPeeked?: boolean;
  /** 1-based position, and number of members (-1 if unknown). */
  position?: { at: number; of: number } | undefined;
  ref?: RefCallback<HTMLElement> | undefined;
}

/**
 * Returns true if an active member's email address isn't verified. Other members aren't checked, because they verify
 * their address at the first sign-in.
 */
const isEmailUnverified = ({ accountStatus, emailVerified }: Member): boolean =>
  accountStatus === 'active' && !emailVerified;

/** Returns the search text if it was looked up in this field. */
export const searchIn = (query: MemberItemProps['query'], field: string): string | undefined =>
  query?.field === 'any' || query?.field === field ? query.q : undefined;

/** Opens the preview on a click beside the controls of an item, unless the user selected text there. */
export const peekOnClick =
  ({ member, onPeek }: Pick<MemberItemProps, 'member' | 'onPeek'>) =>
  ({ target }: MouseEvent) => {
    if (!(target instanceof Element) || target.closest('a, button, input, label')) return;
    if (document.getSelection()?.isCollapsed !== false) onPeek?.(member);
  };

/** The member's name with the matches of the search. */
export function MemberName({ member, query }: Pick<MemberItemProps, 'member' | 'query'>) {
  const { firstName, lastName } = member;
  return (
    <>
      <MatchedText text={firstName} search={searchIn(query, 'firstName')} />
      {firstName && lastName && ' '}
      <MatchedText text={lastName} search={searchIn(query, 'lastName')} />
    </>
  );
}

/** The member's email with the matches of the search, and a sign if it isn't verified. */
export function MemberEmail({ member, query }: Pick<MemberItemProps, 'member' | 'query'>) {
  return (
    <Flex
      align="center"
      gap="1.5"
      minW="0"
      textStyle="sm"
      color={isGreyedOut(member.accountStatus) ? 'fg.subtle' : 'fg.muted'}
    >
      <Text as="span" truncate title={member.primaryEmail}>
        <MatchedText text={member.primaryEmail} search={searchIn(query, 'primaryEmail')} />
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
  );
}

/** Whether the primary attribute is searched: it is the only field that isn't also a column of its own. */
export const searchInAttribute = (query: MemberItemProps['query']) =>
  query && !['firstName', 'lastName', 'primaryEmail'].includes(query.field) ? query.q : undefined;

/** Summarises a member. The card is greyed out if the member can't sign in. */
export function MemberCard(props: MemberItemProps) {
  const { member, to, cameFrom, menu, choice, query, onPeek, isPeeked = false, position, ref } = props;
  const isOff = isGreyedOut(member.accountStatus);
  const name = fullNameOf(member);
  const quiet = isOff ? 'fg.subtle' : 'fg.muted';
  return (
    <chakra.li
      ref={ref}
      {...{ [ROW_KEY]: member.suid }}
      aria-posinset={position?.at}
      aria-setsize={position?.of}
      onClick={onPeek && peekOnClick(props)}
      position="relative"
      display="grid"
      gridTemplateColumns={choice ? 'auto auto minmax(0, 1fr)' : 'auto minmax(0, 1fr)'}
      columnGap="3"
      alignItems="center"
      minW="0"
      px="3.5"
      py="3"
      bg={isOff ? 'bg.subtle' : 'bg.panel'}
      borderWidth="1px"
      borderColor={isPeeked ? 'brand.line' : undefined}
      borderRadius="l3"
      cursor={onPeek && 'pointer'}
      scrollMarginTop="calc({sizes.header} + {spacing.6})"
      scrollMarginBottom="24"
      transition="border-color 120ms, box-shadow 120ms"
      _hover={{ borderColor: isPeeked ? undefined : 'border.emphasized', boxShadow: 'xs' }}
      _focusWithin={{ borderColor: isPeeked ? undefined : 'border.emphasized' }}
      css={{ '&:has(input:checked)': { borderColor: 'brand.line' } }}
    >
      {choice && (
        // Raise the checkbox above the link, which comes later in the DOM and can cover the card.
        <Box position="relative" zIndex="1">
          {choice}
        </Box>
      )}
      <InitialsAvatar name={name} size="md" isGrey={isOff} />
      <Box minW="0">
        <Link
          asChild
          textDecoration="none"
          // Leave room for the menu.
          maxW={menu ? 'calc(100% - 1.5rem)' : 'full'}
          fontWeight="semibold"
          color={isOff ? 'fg.subtle' : 'fg'}
          {...(onPeek ? OWN_LINK : CARD_LINK)}
        >
          <RouterLink to={to} state={{ listSearch: cameFrom }}>
            <chakra.span truncate>
              <MemberName member={member} query={query} />
            </chakra.span>
          </RouterLink>
        </Link>
        <MemberEmail member={member} query={query} />
      </Box>
      {menu && (
        <Box position="absolute" top="1.5" insetInlineEnd="1.5">
          {menu}
        </Box>
      )}
      <Flex
        gridColumn="1 / -1"
        align="center"
        gap="3"
        minW="0"
        mt="2.5"
        pt="2"
        borderTopWidth="1px"
        textStyle="sm"
        color={quiet}
      >
        <StatusBadge {...statusBadge(member.accountStatus)} />
        <Text truncate flex="1">
          {member.roleName}
        </Text>
        <Text textStyle="code" fontSize="xs" truncate maxW="28">
          <MatchedText text={member.primaryAttr} search={searchInAttribute(query)} />
        </Text>
        <Flex
          as="span"
          role="img"
          aria-label={plural(member.deviceCount, { one: '# device', other: '# devices' })}
          align="center"
          gap="1"
          flexShrink="0"
          fontVariantNumeric="tabular-nums"
        >
          <Smartphone size={14} strokeWidth={1.75} aria-hidden />
          {member.deviceCount}
        </Flex>
      </Flex>
    </chakra.li>
  );
}

/** Only the name links to the member's page. */
const OWN_LINK = { borderRadius: 'xs', _hover: { textDecoration: 'underline' } };

/** The whole card links to the member's page. */
const CARD_LINK = {
  focusVisibleRing: 'none',
  _before: { content: '""', position: 'absolute', inset: '0', borderRadius: 'l3' },
  _focusVisible: { _before: { outline: '2px solid {colors.brand.focusRing}', outlineOffset: '2px' } },
} as const;
