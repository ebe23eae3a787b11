import type { Member } from '@orchestrate/shared';
import { useState } from 'react';

/**
 * The members of a list that were chosen, as the list shows them now: those who have left it are no longer chosen.
 * Another list begins with nobody chosen; more of the same keeps them.
 * @param list what the list was asked for
 * @param shown undefined until it has loaded
 */
export function useChosen(list: string, shown: readonly Member[] = []) {
  const [kept, setKept] = useState({ list, suids: NOBODY });
  const suids = kept.list === list ? kept.suids : NOBODY;
  return {
    members: shown.filter(({ suid }) => suids.has(suid)),
    has: ({ suid }: Member) => suids.has(suid),
    choose: (members: readonly Member[], isChosen: boolean) => {
      const changed = new Set(suids);
      for (const { suid } of members) {
        if (isChosen) changed.add(suid);
        else changed.delete(suid);
      }
      setKept({ list, suids: changed });
    },
    clear: () => setKept({ list, suids: NOBODY }),
  };
}

export type Chosen = ReturnType<typeof useChosen>;

const NOBODY: ReadonlySet<string> = new Set();
