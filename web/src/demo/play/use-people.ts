import { readWorld, type World } from '@orchestrate/shared';
import { useFollowed } from '#lab/lab-updates.tsx';

export type DemoPerson = NonNullable<NonNullable<World['organisations']>[number]['people']>[number];

const NOBODY: readonly DemoPerson[] = [];

/** All members with their devices and sign-ins, reloaded on every journal entry. */
export function usePeople(): readonly DemoPerson[] {
  const { data } = useFollowed(readWorld, {});
  return data?.world.organisations?.[0]?.people ?? NOBODY;
}
