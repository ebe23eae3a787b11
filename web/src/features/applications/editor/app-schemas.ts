import { t } from '@lingui/core/macro';
import {
  addressProblem,
  appDescription,
  appName,
  type ClientKind,
  callbackUrl,
  clientKind,
  hasSignIn,
  needsAddress,
  normalUrl,
  URL_REPEATED,
} from '@orchestrate/shared';
import { z } from 'zod';

/** A list of addresses as a form holds it: react-hook-form wants objects. */
const urlRows = z.array(z.object({ value: z.string().trim() }));
export type UrlRows = z.output<typeof urlRows>;

/** The addresses of a list; where none is needed, its row may stay empty. */
export const urlsOf = (rows: UrlRows): string[] => rows.flatMap(({ value }) => value || []);

/** The addresses of an application, by the names that the forms have for them. */
export const addressRows = { kind: clientKind, callbackUrls: urlRows, logoutUrls: urlRows };

interface Addresses {
  kind: ClientKind;
  callbackUrls: UrlRows;
  logoutUrls: UrlRows;
}

/**
 * Each is an address that this kind of application can have, once; a machine has none, whatever its hidden fields say.
 */
export function checkAddresses({ kind, ...lists }: Addresses, context: z.RefinementCtx<unknown>): void {
  if (!hasSignIn(kind)) return;
  for (const list of ['callbackUrls', 'logoutUrls'] as const) {
    const urls = lists[list].map(({ value }) => normalUrl(value));
    for (const [row, { value }] of lists[list].entries()) {
      if (value === '' && !needsAddress(kind)) continue;
      const wrong =
        callbackUrl.safeParse(value).error?.issues[0]?.message ??
        addressProblem(kind, value) ??
        (urls.indexOf(normalUrl(value)) === row ? undefined : URL_REPEATED);
      if (wrong !== undefined) context.addIssue({ code: 'custom', path: [list, row, 'value'], message: wrong });
    }
  }
}

export const generalInfo = z.object({ name: appName, description: appDescription });
export type GeneralInfo = z.output<typeof generalInfo>;

export const createOidcForm = generalInfo.extend(addressRows).superRefine(checkAddresses);
export type CreateOidcForm = z.output<typeof createOidcForm>;

export const NAME_TAKEN = t`App name already exists`;
