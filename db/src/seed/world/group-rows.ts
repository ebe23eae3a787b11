import { nameKey, type WorldOrganisation } from '@orchestrate/shared';
import type { TableRows } from '../../database.ts';
import { groupMembers, groups } from '../../schema/index.ts';
import { tableRows } from '../table-rows.ts';
import type { Drawing } from './drawing.ts';
import type { FindPerson } from './find-person.ts';

/** The id of a group of a world. */
const idOfGroup = (
  orgCode: string,
  { id, name }: Pick<WorldOrganisation['groups'][number], 'id' | 'name'>,
  drawing: Drawing,
): string => id ?? drawing.id(`group ${orgCode}/${name.toLowerCase()}`);

/** The id of a group that an organisation knows by its name; nothing where it knows none. */
export function findGroupIn(
  { code, groups: own }: WorldOrganisation,
  drawing: Drawing,
): (name: string) => string | undefined {
  const known = new Map(own.map((group) => [nameKey(group.name), idOfGroup(code, group, drawing)]));
  return (name) => known.get(name.toLowerCase());
}

/** The groups of all organisations. */
export function groupRows(orgs: readonly WorldOrganisation[], drawing: Drawing): TableRows[] {
  const { base, time } = drawing;
  return [
    tableRows(
      groups,
      orgs.flatMap(({ code, createdAt: begun, groups: own }) =>
        own.map((group) => {
          const createdAt = time(group.createdAt, time(begun, base));
          return {
            orgCode: code,
            groupId: idOfGroup(code, group, drawing),
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

/** Who is in them: comes after the people. */
export function groupMemberRows(orgs: readonly WorldOrganisation[], find: FindPerson, drawing: Drawing): TableRows[] {
  return [
    tableRows(
      groupMembers,
      orgs.flatMap(({ code, groups: own }) =>
        own.flatMap((group) => {
          const suids = new Set(group.members.flatMap((named) => find(code, named) ?? []));
          return [...suids].map((suid) => ({ orgCode: code, groupId: idOfGroup(code, group, drawing), suid }));
        }),
      ),
    ),
  ];
}
