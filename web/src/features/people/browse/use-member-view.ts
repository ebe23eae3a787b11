import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { readStored, writeStored } from '../../../lib/browser/stored.ts';

const KEY = 'orchestrate.member-view';

export const MEMBER_VIEWS = [
  { value: 'cards', label: t`Cards` },
  { value: 'table', label: t`Table` },
] as const;
export type MemberView = (typeof MEMBER_VIEWS)[number]['value'];

/** Whether members stand on cards or in a table; this browser remembers it. */
export function useMemberView() {
  const [view, setView] = useState<MemberView>(readStored(KEY) === 'table' ? 'table' : 'cards');
  const change = (chosen: MemberView = 'cards') => {
    writeStored(KEY, chosen);
    setView(chosen);
  };
  return { view, change };
}
