import { Button, Flex } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { Member } from '@orchestrate/shared';
import { type ReactNode, type RefObject, useEffect, useMemo, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { memberAddress } from '#lib/address/member-address.ts';
import { focusRow, useListKeys } from '#lib/browser/use-list-keys.ts';
import { useHasRoomForPreview } from '#lib/browser/use-media.ts';
import { ROW_KEY, useVirtualRows } from '#lib/browser/use-virtual-rows.ts';
import { formatNumber } from '#lib/format/numbers.ts';
import { resultText } from '#lib/notices/result-text.ts';
import { paths } from '#paths.ts';
import { AlertLine } from '#ui/feedback/alert-line.tsx';
import { SelectMember } from '../bulk/select-members.tsx';
import type { Selection } from '../bulk/use-selection.ts';
import { MemberDialogs, useMemberDialogs } from '../dialogs/member-dialogs.tsx';
import { MemberCard } from './member-card.tsx';
import { MemberGrid, SkeletonCards } from './member-grid.tsx';
import { useMemberMenu } from './member-menu.tsx';
import { MemberPeek } from './member-peek.tsx';
import { MemberRow, MemberTable } from './member-table.tsx';
import type { MemberQuery, useMemberSearch } from './use-member-search.ts';

export const MEMBER_VIEWS = [
  { value: 'cards', label: t`Cards` },
  { value: 'table', label: t`Table` },
] as const;
export type MemberView = (typeof MEMBER_VIEWS)[number]['value'];

/** Calls `reach` whenever the element is about to scroll into view, unless `reach` is undefined. */
function useInView(element: RefObject<Element | null>, reach: (() => void) | undefined): void {
  useEffect(() => {
    if (!element.current || !reach) return;
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && reach(), {
      rootMargin: '120px',
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  });
}

interface VisibleRowsProps {
  rows: RefObject<HTMLElement | null>;
  members: readonly Member[];
  itemOf: (member: Member, at: number) => ReactNode;
  last: RefObject<Element | null>;
  /** Called when the last item is about to scroll into view. */
  onEnd: (() => void) | undefined;
  /** Renders the list around the visible items. */
  children: (items: ReactNode, space: { before: number; after: number }) => ReactNode;
}

/** Renders the items near the window. Scrolling renders only this component, and only items that come into view. */
function VisibleRows({ rows, members, itemOf, last, onEnd, children }: VisibleRowsProps) {
  const { from, to, ...space } = useVirtualRows(rows, members.length);
  useInView(last, onEnd);
  // React doesn't render the same element again. All elements are new after the list itself has changed.
  const renderedOf = useMemo(() => {
    const rendered = new Map<number, ReactNode>();
    return (member: Member, at: number) => {
      const item = rendered.get(at) ?? itemOf(member, at);
      rendered.set(at, item);
      return item;
    };
  }, [itemOf]);
  return children(
    members.slice(from, to).map((member, at) => renderedOf(member, from + at)),
    space,
  );
}

interface MemberListProps extends Omit<ReturnType<typeof useMemberSearch>, 'members'> {
  members: Member[];
  query: MemberQuery;
  /** Number of results. Undefined if it isn't known exactly. */
  total: number | undefined;
  /** Undefined for users without permission for bulk actions. */
  chosen: Selection | undefined;
  view: MemberView;
  /** The organisation's label for its primary attribute. */
  attribute: string;
  /** ID of the member in the preview. */
  peek: string | undefined;
  onPeek: (suid: string | undefined) => void;
}

/** Lists the loaded members, of which only those near the window are rendered, with a preview beside them. */
export function MemberList(props: MemberListProps) {
  const { members, query, total, chosen, view, attribute, refusal, isLoadingMore, hasMore, ...list } = props;
  const dialogs = useMemberDialogs();
  const { buttonFor, menu } = useMemberMenu(dialogs.ask);
  const { search } = useLocation();
  const hasRoom = useHasRoomForPreview();
  const peekedAt = hasRoom && props.peek ? members.findIndex(({ suid }) => suid === props.peek) : -1;
  const peeked = members[peekedAt];
  const rows = useRef<HTMLElement>(null);
  useListKeys({ list: rows, peeked: peeked?.suid, onPeek: hasRoom ? props.onPeek : undefined });

  const last = useRef<HTMLElement>(null);
  const keepLast = (element: HTMLElement | null) => {
    last.current = element;
  };
  const loadMore = hasMore && !isLoadingMore && !refusal ? () => void list.loadMore() : undefined;
  const rowOf = (suid: string) => rows.current?.querySelector(`[${ROW_KEY}="${CSS.escape(suid)}"]`);
  const peekAt = (at: number) => {
    const member = members[at];
    if (!member) return loadMore?.();
    props.onPeek(member.suid);
    rowOf(member.suid)?.scrollIntoView?.({ block: 'nearest' });
  };
  const closePeek = () => {
    props.onPeek(undefined);
    if (peeked) focusRow(rowOf(peeked.suid));
  };

  const Item = view === 'table' ? MemberRow : MemberCard;
  const itemOf = (member: Member, at: number) => (
    <Item
      key={member.suid}
      ref={at === members.length - 1 ? keepLast : undefined}
      member={member}
      to={memberAddress(paths.member, member)}
      cameFrom={search}
      query={query}
      choice={chosen && <SelectMember chosen={chosen} member={member} />}
      menu={buttonFor(member)}
      onPeek={hasRoom ? ({ suid }) => props.onPeek(suid) : undefined}
      isPeeked={at === peekedAt}
      position={{ at: at + 1, of: total ?? (hasMore ? -1 : members.length) }}
    />
  );
  const frameOf = (items: ReactNode, space: { before: number; after: number }) =>
    view === 'table' ? (
      <MemberTable attribute={attribute} isBusy={isLoadingMore} rows={rows} space={space} total={total}>
        {items}
      </MemberTable>
    ) : (
      <MemberGrid label={t`Members`} isBusy={isLoadingMore} rows={rows} space={space}>
        {items}
        {isLoadingMore && space.after === 0 && <SkeletonCards />}
      </MemberGrid>
    );
  return (
    <Flex gap="4" align="flex-start">
      <Flex direction="column" gap="4" flex="1" minW="0">
        <VisibleRows rows={rows} members={members} itemOf={itemOf} last={last} onEnd={loadMore}>
          {frameOf}
        </VisibleRows>
        {refusal && (
          <Flex gap="3" align="center" justify="center" wrap="wrap">
            <AlertLine>{resultText(refusal)}</AlertLine>
            <Button variant="outline" onClick={() => void list.refetch()}>
              {t`Retry`}
            </Button>
          </Flex>
        )}
      </Flex>
      {peeked && (
        <MemberPeek
          member={peeked}
          to={memberAddress(paths.member, peeked)}
          cameFrom={search}
          attribute={attribute}
          position={total === undefined ? undefined : t`${formatNumber(peekedAt + 1)} of ${formatNumber(total)}`}
          onPrevious={peekedAt > 0 ? () => peekAt(peekedAt - 1) : undefined}
          onNext={peekedAt < members.length - 1 || hasMore ? () => peekAt(peekedAt + 1) : undefined}
          onClose={closePeek}
        />
      )}
      {menu}
      <MemberDialogs dialogs={dialogs} />
    </Flex>
  );
}
