import { readWorld, type World } from '@orchestrate/shared';
import { useFollowed } from '#lab/lab-news.tsx';

export type StagePerson = NonNullable<NonNullable<World['organisations']>[number]['people']>[number];

const NOBODY: readonly StagePerson[] = [];

/** Everybody with their devices and sign-ins, read again when something has happened. */
export function usePeople(): readonly StagePerson[] {
  const { data } = useFollowed(readWorld, {});
  return data?.world.organisations?.[0]?.people ?? NOBODY;
}
