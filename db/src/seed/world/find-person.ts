import type { FullWorld, WorldPerson } from '@orchestrate/shared';
import type { ValueGenerator } from './value-generator.ts';

/** Returns a person's ID, given an email address or ID within an organisation, or null if there is no such person. */
export type FindPerson = (orgCode: string, named: string | undefined) => string | null;

/** Returns the ID of a person in a world. */
export const suidOfPerson = (orgCode: string, { id, email }: WorldPerson, generator: ValueGenerator): string =>
  id ?? generator.id(`member ${orgCode}/${email}`);

/**
 * Returns a function that finds people in a world. Current people take precedence because they can reuse the
 * addresses of deleted people.
 */
export function personFinder({ organisations }: FullWorld, generator: ValueGenerator): FindPerson {
  const suidsByOrg = new Map(
    organisations.map(({ code, people }) => {
      const suids = new Map<string, string>();
      for (const isDeleted of [true, false]) {
        for (const person of people) {
          if ((person.status === 'deleted') !== isDeleted) continue;
          const suid = suidOfPerson(code, person, generator);
          suids.set(suid, suid);
          suids.set(person.email, suid);
        }
      }
      return [code, suids];
    }),
  );
  return (orgCode, named) => {
    if (named === undefined) return null;
    const suids = suidsByOrg.get(orgCode);
    return suids?.get(named) ?? suids?.get(named.toLowerCase()) ?? null;
  };
}
