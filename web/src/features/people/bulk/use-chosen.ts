import type { Member } from '@orchestrate/shared';
import { useState } from 'react';

/** The members of a list that were chosen. Another list begins with nobody chosen; more of the same keeps them. */
export function useChosen(list: string) {
  const [kept, setKept] = useState<{ list: string; chosen: ReadonlyMap<string, Member> }>({ list, chosen: NOBODY });
  const chosen = kept.list === list ? kept.chosen : NOBODY;
  return {
    members: [...chosen.values()],
    has: ({ suid }: Member) => chosen.has(suid),
    choose: (members: readonly Member[], isChosen: boolean) => {
      const changed = new Map(chosen);
      for (const member of members) {
        if (isChosen) changed.set(member.suid, member);
        else changed.delete(member.suid);
      }
      setKept({ list, chosen: changed });
    },
    clear: () => setKept({ list, chosen: NOBODY }),
  };
}

export type Chosen = ReturnType<typeof useChosen>;

const NOBODY: ReadonlyMap<string, Member> = new Map();
