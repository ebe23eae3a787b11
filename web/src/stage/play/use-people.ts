import { useEffect } from 'react';
import useSWR from 'swr';
import { readPeople, type StagePerson } from './prepare-stage.ts';

const NOBODY: readonly StagePerson[] = [];

/** Everybody with their sign-ins, read again when the count of what happened changes. */
export function usePeople(happened: number): readonly StagePerson[] {
  const { data, mutate } = useSWR('stage people', readPeople, { keepPreviousData: true });
  useEffect(() => {
    if (happened > 0) void mutate();
  }, [happened, mutate]);
  return data ?? NOBODY;
}
