import { integer, text } from '#drizzle';
import type { Sealed } from '../vault.ts';

/** Milliseconds since the epoch. Times become ISO strings only on the wire. */
export const time = () => integer({ mode: 'number' });

export const flag = () => integer({ mode: 'boolean' });

/** An encrypted secret. Only the repository of its table seals and unseals it (`sealed-columns.ts`). */
export const sealed = () => text().$type<Sealed>();

/** JSON text with a static type. */
export const json = <T>() => text({ mode: 'json' }).$type<T>();
