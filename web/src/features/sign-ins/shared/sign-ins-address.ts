import { paths } from '#paths.ts';

/** Query parameters for the sign-in list filters. */
export const signInParameters = {
  status: 'status',
  suid: 'who',
  appId: 'app',
  mode: 'how',
  reason: 'why',
  ip: 'ip',
  from: 'from',
  to: 'to',
} as const;

/** Filter values as they appear in the URL, with times as local days. */
export type SignInQuery = Partial<Record<keyof typeof signInParameters, string | undefined>>;

/** Returns the path of the sign-in list with these filters. */
export function signInsPath(filters: SignInQuery): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(filters))
    if (value) search.set(signInParameters[name as keyof typeof signInParameters], value);
  return search.size > 0 ? `${paths.signIns}?${search}` : paths.signIns;
}
