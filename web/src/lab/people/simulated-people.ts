import type { ListedPerson, PhonePolicy, VirtualDevice } from '@orchestrate/shared';

/** A person with their simulated devices. */
export interface SimulatedPerson extends ListedPerson {
  devices: readonly VirtualDevice[];
}

/** Adds each person's devices and lists people with devices first. */
export function withDevices(people: readonly ListedPerson[], devices: readonly VirtualDevice[]): SimulatedPerson[] {
  const owned = Map.groupBy(devices, ({ suid }) => suid);
  return people
    .map((person) => ({ ...person, devices: owned.get(person.suid) ?? [] }))
    .toSorted((one, other) => Number(other.devices.length > 0) - Number(one.devices.length > 0));
}

/** Returns true if the person's organisation, name, email, role and status together contain every typed word. */
export function matchesSearch(person: SimulatedPerson, typed: string): boolean {
  const { orgCode, orgName, fullName, email, roleName, status } = person;
  const all = [orgCode, orgName, fullName, email, roleName, status].join(' ').toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

/** Returns the policies that can match a person's requests, in the portal's order. */
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
