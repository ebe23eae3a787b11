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

/** A list of addresses as objects, because react-hook-form's field arrays don't support strings. */
const urlRows = z.array(z.object({ value: z.string().trim() }));
export type UrlRows = z.output<typeof urlRows>;

/** Returns the addresses of all non-empty rows. */
export const urlsOf = (rows: UrlRows): string[] => rows.flatMap(({ value }) => value || []);

/** An application's address fields, by form field name. */
export const addressRows = { kind: clientKind, callbackUrls: urlRows, logoutUrls: urlRows };

interface Addresses {
  kind: ClientKind;
  callbackUrls: UrlRows;
  logoutUrls: UrlRows;
}

/**
 * Checks that each address is unique and allowed for this kind of client. Skips service clients, which have no
 * addresses even if their hidden fields contain some.
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

export const NAME_TAKEN_MESSAGE = t`App name already exists`;
