import type { Member } from '@orchestrate/shared';
import { useEffect, useState } from 'react';
import { useNavigationType } from 'react-router-dom';
import { type Cache, useSWRConfig } from 'swr';

/**
 * The members of a list that were chosen, as the list shows them now: those who have left it are no longer chosen. Of a
 * whole result, those whom the list has not shown yet are chosen as they were read.
 * Another list starts with none chosen; more of the same keeps them, and so does Back to the same list.
 * @param list what the list was asked for
 * @param shown undefined until it has loaded
 */
export function useChosen(list: string, shown: readonly Member[] = []) {
  const { cache } = useSWRConfig();
  const isBack = useNavigationType() === 'POP';
  const [kept, setKept] = useState<Kept>(() => {
    if (!isBack) chosenIn.delete(cache);
    return chosenIn.get(cache) ?? { list, ...NONE };
  });
  const keep = (next: ReadonlySet<string>, whole: Whole | undefined) => {
    const changed = { list, suids: next, whole };
    chosenIn.set(cache, changed);
    setKept(changed);
  };
  const { suids, whole } = kept.list === list ? kept : NONE;
  const isShown = new Set(shown.map(({ suid }) => suid));
  const others = whole?.members.filter(({ suid }) => !isShown.has(suid) && !whole.seen.has(suid)) ?? [];
  useEffect(() => {
    for (const { suid } of shown) whole?.seen.add(suid);
  }, [shown, whole]);
  return {
    suids,
    members: [...shown, ...others].filter(({ suid }) => suids.has(suid)),
    /** Whether the whole result was chosen, even if members were left out since. */
    isWhole: whole !== undefined,
    has: ({ suid }: Member) => suids.has(suid),
    choose: (members: readonly Member[], isChosen: boolean) => {
      const changed = new Set(suids);
      for (const { suid } of members) {
        if (isChosen) changed.add(suid);
        else changed.delete(suid);
      }
      keep(changed, whole);
    },
    chooseWhole: (members: readonly Member[]) =>
      keep(new Set(members.map(({ suid }) => suid)), { members, seen: new Set() }),
    clear: () => keep(NOBODY, undefined),
  };
}

export type Chosen = ReturnType<typeof useChosen>;

interface Kept {
  list: string;
  suids: ReadonlySet<string>;
  /** Absent where only shown members were chosen. */
  whole: Whole | undefined;
}

interface Whole {
  /** Everybody in the result, as they were read when it was chosen. */
  members: readonly Member[];
  /** Whom the list has shown since: once it no longer does, they have left it. */
  seen: Set<string>;
}

/** The last choice of each person: everyone who signs in has a cache of their own. */
const chosenIn = new WeakMap<Cache, Kept>();

const NOBODY: ReadonlySet<string> = new Set();
const NONE = { suids: NOBODY, whole: undefined };
