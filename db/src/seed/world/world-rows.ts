import type { FullWorld } from '@orchestrate/shared';
import type { TableRows } from '../../database.ts';
import { worlds } from '../../schema/index.ts';
import type { KeySource } from '../key-source.ts';
import { tableRows } from '../table-rows.ts';
import { applicationRows, faqRows } from './application-rows.ts';
import { connectionRows } from './connection-rows.ts';
import { createDrawing } from './drawing.ts';
import { findPersonIn } from './find-person.ts';
import { groupMemberRows, groupRows } from './group-rows.ts';
import { organisationRows } from './organisation-rows.ts';
import { peopleRows } from './people-rows.ts';

/**
 * All rows of a world, ordered so that foreign keys hold. The same world, base and source give the same rows.
 * @param base milliseconds: what the world's distances in time count from
 */
export function worldRows(world: FullWorld, base: number, source: KeySource): TableRows[] {
  const drawing = createDrawing(world, base, source);
  const find = findPersonIn(world, drawing);
  const { organisations } = world;
  return [
    tableRows(worlds, [{ id: 1, randomSeed: world.randomSeed, keysFrom: source.origin }]),
    ...organisationRows(organisations, drawing),
    ...groupRows(organisations, drawing),
    ...applicationRows(organisations, find, drawing),
    ...faqRows(organisations, drawing),
    ...connectionRows(organisations, find, drawing),
    ...peopleRows(organisations, find, drawing),
    ...groupMemberRows(organisations, find, drawing),
  ];
}
