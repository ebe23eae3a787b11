import type { ListedPerson, PhonePolicy, VirtualDevice } from '@orchestrate/shared';

/** Somebody with their simulated devices. */
export interface SimulatedPerson extends ListedPerson {
  devices: readonly VirtualDevice[];
}

/** The people with their devices, those who have one first. */
export function peopleOf(people: readonly ListedPerson[], devices: readonly VirtualDevice[]): SimulatedPerson[] {
  const owned = Map.groupBy(devices, ({ suid }) => suid);
  return people
    .map((person) => ({ ...person, devices: owned.get(person.suid) ?? [] }))
    .toSorted((one, other) => Number(other.devices.length > 0) - Number(one.devices.length > 0));
}

/** Whether organisation, name, address, role or status contain every typed word. */
export function isFound(person: SimulatedPerson, typed: string): boolean {
  const { orgCode, orgName, fullName, email, roleName, status } = person;
  const all = [orgCode, orgName, fullName, email, roleName, status].join(' ').toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

/** The policies that can apply to somebody, in the order in which the portal tries them. */
export const policiesFor = (
  { email, orgCode, devices }: SimulatedPerson,
  policies: readonly PhonePolicy[],
): PhonePolicy[] =>
  policies.filter(
    ({ match }) =>
      (match.email === undefined || match.email === email) &&
      (match.org === undefined || match.org === orgCode) &&
      (match.zid === undefined || devices.some(({ zid }) => zid === match.zid)),
  );
