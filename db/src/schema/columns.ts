import { integer, text } from 'drizzle-orm/sqlite-core';

/** Milliseconds since the epoch; times become ISO strings only on the wire. */
export const time = () => integer({ mode: 'number' });

export const flag = () => integer({ mode: 'boolean' });

/** JSON text with a static type. */
export const json = <T>() => text({ mode: 'json' }).$type<T>();
