import { readJson } from '@orchestrate/shared';
import { z } from 'zod';

/**
 * The authentication context that a client can request in `acr_values`: the user also picked the number that the browser
 * displayed, or a passkey verified them in that browser.
 */
export const STEP_UP = 'urn:orchestrate:acr:step-up';

/** Raw parameters of an authorization request that are about the sign-in. */
export interface SignInParams {
  acr_values?: unknown;
  /** JSON (OpenID Connect Core 1.0 §5.5). */
  claims?: unknown;
}

const claimsRequest = z.object({
  id_token: z
    .object({
      acr: z
        .object({
          essential: z.boolean().optional(),
          value: z.string().optional(),
          values: z.array(z.string()).optional(),
        })
        .nullish(),
      sub: z.object({ value: z.string() }).nullish().catch(undefined),
    })
    .nullish(),
});

/** Returns what the `claims` parameter requests of the ID token, or undefined. */
export function requestedOfIdToken({ claims }: SignInParams) {
  const request = typeof claims === 'string' ? claimsRequest.safeParse(readJson(claims)) : undefined;
  return request?.data?.id_token ?? undefined;
}

/** Returns the authentication contexts of which the ID token must have one; empty if none is required. */
export function essentialContexts(params: SignInParams): string[] {
  const { essential, value, values = [] } = requestedOfIdToken(params)?.acr ?? {};
  return essential === true ? [...values, ...(value === undefined ? [] : [value])] : [];
}

/** Returns whether an authorization request asks for step-up, in `acr_values` or as an essential claim. */
export function requestsStepUp(params: SignInParams): boolean {
  const { acr_values: preferred } = params;
  return (
    (typeof preferred === 'string' && preferred.split(' ').includes(STEP_UP)) ||
    essentialContexts(params).includes(STEP_UP)
  );
}
