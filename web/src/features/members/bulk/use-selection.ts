import type { Member } from '@orchestrate/shared';
import { useEffect, useState } from 'react';
import { useNavigationType } from 'react-router-dom';
import { type Cache, useSWRConfig } from 'swr';

/**
 * Manages the selected members of a list. Members who leave the list are deselected. Results not displayed yet stay
 * selected with the data at the time of selection. A different list starts with an empty selection, but loading more
 * rows or going back to the same list keeps the selection.
 * @param list key of the list's query
 * @param shown displayed members, undefined until loaded
 */
export function useSelection(list: string, shown: readonly Member[] = []) {
  const { cache } = useSWRConfig();
  const isBack = useNavigationType() === 'POP';
  const [stored, setStored] = useState<StoredSelection>(() => {
    if (!isBack) selections.delete(cache);
    return selections.get(cache) ?? { list, ...NONE };
  });
  const store = (next: ReadonlySet<string>, whole: Whole | undefined) => {
    const changed = { list, suids: next, whole };
    selections.set(cache, changed);
    setStored(changed);
  };
  const { suids, whole } = stored.list === list ? stored : NONE;
  const isShown = new Set(shown.map(({ suid }) => suid));
  const others = whole?.members.filter(({ suid }) => !isShown.has(suid) && !whole.seen.has(suid)) ?? [];
  useEffect(() => {
    for (const { suid } of shown) whole?.seen.add(suid);
  }, [shown, whole]);
  return {
    suids,
    members: [...shown, ...others].filter(({ suid }) => suids.has(suid)),
    /** True if all results were selected, even if some members were deselected later. */
    isWhole: whole !== undefined,
    has: ({ suid }: Member) => suids.has(suid),
    choose: (members: readonly Member[], isChosen: boolean) => {
      const changed = new Set(suids);
      for (const { suid } of members) {
        if (isChosen) changed.add(suid);
        else changed.delete(suid);
      }
      store(changed, whole);
    },
    chooseWhole: (members: readonly Member[]) =>
      store(new Set(members.map(({ suid }) => suid)), { members, seen: new Set() }),
    clear: () => store(NO_IDS, undefined),
  };
}

export type Selection = ReturnType<typeof useSelection>;

interface StoredSelection {
  list: string;
  suids: ReadonlySet<string>;
  /** Undefined if only displayed members were selected. */
  whole: Whole | undefined;
}

interface Whole {
  /** All results, with their data at the time of selection. */
  members: readonly Member[];
  /**
   * IDs of results displayed since the selection. A member in this set who is no longer displayed has left the list.
   */
  seen: Set<string>;
}

/** Latest selection per session, because each session has its own cache. */
const selections = new WeakMap<Cache, StoredSelection>();

const NO_IDS: ReadonlySet<string> = new Set();
const NONE = { suids: NO_IDS, whole: undefined };
