import { nameKey, type WorldOrganisation } from '@orchestrate/shared';
import type { TableRows } from '../../database.ts';
import { groupMembers, groups } from '../../schema/index.ts';
import { tableRows } from '../table-rows.ts';
import type { FindPerson } from './find-person.ts';
import type { ValueGenerator } from './value-generator.ts';

/** Returns the ID of a group in a world. */
const idOfGroup = (
  orgCode: string,
  { id, name }: Pick<WorldOrganisation['groups'][number], 'id' | 'name'>,
  generator: ValueGenerator,
): string => id ?? generator.id(`group ${orgCode}/${name.toLowerCase()}`);

/** Returns a function that finds a group's ID by organisation and group name. */
export function groupFinder(
  { code, groups: own }: WorldOrganisation,
  generator: ValueGenerator,
): (name: string) => string | undefined {
  const ids = new Map(own.map((group) => [nameKey(group.name), idOfGroup(code, group, generator)]));
  return (name) => ids.get(name.toLowerCase());
}

/** Returns the rows of all groups in all organisations. */
export function groupRows(orgs: readonly WorldOrganisation[], generator: ValueGenerator): TableRows[] {
  const { base, time } = generator;
  return [
    tableRows(
      groups,
      orgs.flatMap(({ code, createdAt: orgCreatedAt, groups: own }) =>
        own.map((group) => {
          const createdAt = time(group.createdAt, time(orgCreatedAt, base));
          return {
            orgCode: code,
            groupId: idOfGroup(code, group, generator),
            displayName: group.name,
            nameKey: nameKey(group.name),
            externalId: group.externalId ?? null,
            createdAt,
            changedAt: time(group.changedAt, createdAt),
          };
        }),
      ),
    ),
  ];
}

/** Returns the members of all groups. Must be inserted after the people. */
export function groupMemberRows(
  orgs: readonly WorldOrganisation[],
  find: FindPerson,
  generator: ValueGenerator,
): TableRows[] {
  return [
    tableRows(
      groupMembers,
      orgs.flatMap(({ code, groups: own }) =>
        own.flatMap((group) => {
          const suids = new Set(group.members.flatMap((named) => find(code, named) ?? []));
          return [...suids].map((suid) => ({ orgCode: code, groupId: idOfGroup(code, group, generator), suid }));
        }),
      ),
    ),
  ];
}
