import { WRITTEN_OUT } from '@orchestrate/shared';
import { type SQL, sql } from 'drizzle-orm';

/** `writtenOut` in SQL, without functions of our own: it is in indexes, which other programs read too. */
export const writtenOutIn = (text: SQL): SQL => {
  const replaced = Object.entries(WRITTEN_OUT).reduce(
    (inner, [letter, written]) => sql`replace(${inner}, ${sql.raw(`'${letter}', '${written}'`)})`,
    text,
  );
  // Most names are ASCII.
  return sql`CASE WHEN ${text} GLOB ${sql.raw("'*[^ -~]*'")} THEN ${replaced} ELSE ${text} END`;
};
