import {
  AUDIT_ACTIONS,
  AUDIT_ACTOR_KINDS,
  AUDIT_OBJECT_TYPES,
  type InputOf,
  LIMITS,
  type listActivity,
} from '@orchestrate/shared';
import { useSearchParams } from 'react-router-dom';
import { useAddressChange } from '#lib/address/use-address-change.ts';
import {
  type ActivityAddress,
  type ActivityParameter,
  activityParameters,
  readDay,
  spanOf,
} from './shared/activity-address.ts';

export const QUERY_MAX_LENGTH = 100;
const OBJECT_ID_MAX_LENGTH = 200;

/** Stores the filters in the URL, which lets Back, a reload or a link restore them. Invalid filters are ignored. */
export function useActivityFilters() {
  const [search] = useSearchParams();
  const changeAddress = useAddressChange();
  const read = (name: ActivityParameter) => search.get(activityParameters[name]);
  const among = <Value extends string>(values: readonly Value[], name: ActivityParameter) =>
    values.find((value) => value === read(name));
  const text = (name: ActivityParameter, max: number) => read(name)?.trim().slice(0, max) || undefined;
  const id = (name: ActivityParameter) =>
    /^[\w-]{1,64}$/.test(read(name) ?? '') ? (read(name) ?? undefined) : undefined;

  const address: ActivityFilters = {
    q: read('q')?.slice(0, QUERY_MAX_LENGTH) || undefined,
    actor: id('actor'),
    actorKind: among(AUDIT_ACTOR_KINDS, 'actorKind'),
    action: among(AUDIT_ACTIONS, 'action'),
    objectType: among(AUDIT_OBJECT_TYPES, 'objectType'),
    objectId: text('objectId', OBJECT_ID_MAX_LENGTH),
    suid: id('suid'),
    from: readDay(read('from')),
    to: readDay(read('to')),
  };
  const change = (changed: ActivityAddress) =>
    changeAddress(
      Object.fromEntries(
        Object.entries(changed).map(([name, value]) => [activityParameters[name as ActivityParameter], value]),
      ),
    );
  return {
    address,
    filters: filtersOf(address),
    isFiltered: Object.values(address).some(Boolean),
    change,
    clear: () => change(Object.fromEntries(Object.keys(activityParameters).map((name) => [name, undefined]))),
  };
}

type Query = Omit<NonNullable<InputOf<typeof listActivity>['query']>, 'pageSize' | 'lastItem'>;

/** Filters as stored in the URL, with times as days and the search as typed. */
export type ActivityFilters = {
  [Name in ActivityParameter]: Query[Name];
};

/** Converts filters to the server's query. A search needs at least three characters. */
function filtersOf({ q, from, to, ...filters }: ActivityFilters): Query {
  const wanted = q?.trim() ?? '';
  return {
    ...filters,
    ...spanOf({ from, to }),
    ...([...wanted].length >= LIMITS.searchMinLength && { q: wanted }),
  };
}
