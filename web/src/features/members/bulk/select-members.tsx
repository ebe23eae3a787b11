import { chakra } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { fullNameOf, type Member } from '@orchestrate/shared';
import { Checkbox, checkboxStyle } from '#ui/form/checkbox.tsx';
import type { Selection } from './use-selection.ts';

/** Checkbox for selecting a member. */
export function SelectMember({ chosen, member }: { chosen: Selection; member: Member }) {
  return (
    <chakra.input
      type="checkbox"
      {...checkboxStyle}
      aria-label={t`Select ${fullNameOf(member)}`}
      checked={chosen.has(member)}
      onChange={({ target }) => chosen.choose([member], target.checked)}
    />
  );
}

/** Checkbox for selecting all displayed members. Unchecking it also clears selected results that aren't displayed. */
export function SelectAll({ chosen, members }: { chosen: Selection; members: readonly Member[] }) {
  const count = members.filter(chosen.has).length;
  return (
    <Checkbox
      label={t`Select all on this page`}
      isChecked={count === members.length}
      isMixed={count > 0 && count < members.length}
      onChange={(isChosen) => (isChosen ? chosen.choose(members, true) : chosen.clear())}
    />
  );
}
