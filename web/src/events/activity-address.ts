import type { AuditActorKind } from '@orchestrate/shared';
import { paths } from '../paths.ts';

/** Query parameters of the activity list's filters. */
export const activityParameters = {
  q: 'q',
  actor: 'by',
  actorKind: 'kind',
  action: 'action',
  objectType: 'type',
  objectId: 'object',
  suid: 'about',
  from: 'from',
  to: 'to',
} as const;

export type ActivityParameter = keyof typeof activityParameters;

/** Values as they appear in the address; times as local days. */
export type ActivityAddress = Partial<Record<Exclude<ActivityParameter, 'actorKind'>, string | undefined>> & {
  actorKind?: AuditActorKind | undefined;
};

/** Address of the activity list with these filters. */
export function activityPath(filters: ActivityAddress): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(filters))
    if (value) search.set(activityParameters[name as ActivityParameter], value);
  return search.size > 0 ? `${paths.activity}?${search}` : paths.activity;
}
