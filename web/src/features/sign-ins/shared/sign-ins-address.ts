import { paths } from '#paths.ts';

/** Query parameters of the sign-in list's filters. */
export const signInParameters = {
  status: 'status',
  suid: 'who',
  appId: 'app',
  mode: 'how',
  ip: 'ip',
  from: 'from',
  to: 'to',
} as const;

/** Filter values as they appear in the address, with times as local days. */
export type SignInAddress = Partial<Record<keyof typeof signInParameters, string | undefined>>;

/** Returns the address of the list of sign-ins with these filters. */
export function signInsPath(filters: SignInAddress): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(filters))
    if (value) search.set(signInParameters[name as keyof typeof signInParameters], value);
  return search.size > 0 ? `${paths.signIns}?${search}` : paths.signIns;
}
