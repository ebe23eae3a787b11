import { Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { formatNumber } from '../../lib/format/number.ts';
import { summaryOf } from './invitees-preview.tsx';
import type { useInvite } from './use-invite.ts';

interface InviteVerdictProps {
  invite: Pick<ReturnType<typeof useInvite>, 'draft' | 'people' | 'fileCheck'>;
}

/** How many of the people have each outcome; undefined while it is not known. */
function countsOf({ draft, people, fileCheck }: InviteVerdictProps['invite']) {
  if (draft.mode === 'file') return fileCheck?.counts;
  if (people.length === 0) return undefined;
  const counts = { member: 0, new: 0, registered: 0, duplicate: 0, refused: 0 };
  for (const { outcome } of people) counts[outcome] += 1;
  return counts;
}

/** Says next to the button what it would do, wherever the preview is scrolled to. */
export function InviteVerdict({ invite }: InviteVerdictProps) {
  const counts = countsOf(invite);
  if (!counts) return null;
  return (
    <Text flex="1 1 12rem" textStyle="sm" fontWeight="medium">
      {summaryOf((outcome) => (outcome === 'refused' ? 0 : counts[outcome]))}
      {counts.refused > 0 && (
        <Text as="span" display="block" color="fg.error">
          {summaryOf((outcome) => (outcome === 'refused' ? counts.refused : 0))}
        </Text>
      )}
      {!invite.draft.type && (
        <Text as="span" display="block" fontWeight="normal" color="fg.muted">
          {t`Choose a device type to invite them.`}
        </Text>
      )}
    </Text>
  );
}

/** The button names how many it invites if that is not everybody. */
export function submitLabel({ draft, fileCheck, people }: InviteVerdictProps['invite']): string {
  const counts = countsOf({ draft, fileCheck, people });
  const isWhole = draft.mode === 'email' || fileCheck?.isWhole === true;
  if (!counts?.refused || !isWhole) return t`Invite`;
  const added = draft.mode === 'email' && !draft.addNew ? 0 : counts.new;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return t`Invite ${formatNumber(counts.member + added)} of ${formatNumber(total)}`;
}
