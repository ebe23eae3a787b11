import type { FullWorld, WorldPerson } from '@orchestrate/shared';
import type { Drawing } from './drawing.ts';

/** The id of the person whom an organisation knows by an address or an id; null where it knows nobody by it. */
export type FindPerson = (orgCode: string, named: string | undefined) => string | null;

/** The id of a person of a world. */
export const suidOfPerson = (orgCode: string, { id, email }: WorldPerson, drawing: Drawing): string =>
  id ?? drawing.id(`member ${orgCode}/${email}`);

/** Addresses of deleted people may be somebody else's by now, so those who are there come first. */
export function findPersonIn({ organisations }: FullWorld, drawing: Drawing): FindPerson {
  const known = new Map(
    organisations.map(({ code, people }) => {
      const suids = new Map<string, string>();
      for (const isDeleted of [true, false]) {
        for (const person of people) {
          if ((person.status === 'deleted') !== isDeleted) continue;
          const suid = suidOfPerson(code, person, drawing);
          suids.set(suid, suid);
          suids.set(person.email, suid);
        }
      }
      return [code, suids];
    }),
  );
  return (orgCode, named) => {
    if (named === undefined) return null;
    const suids = known.get(orgCode);
    return suids?.get(named) ?? suids?.get(named.toLowerCase()) ?? null;
  };
}
