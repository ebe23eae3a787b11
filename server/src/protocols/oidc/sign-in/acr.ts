import { readJson } from '@orchestrate/shared';
import { z } from 'zod';

/**
 * Authentication context that a client can request in `acr_values`. The user must also have picked the number shown
 * in the browser, or been verified by a passkey in that browser.
 */
export const STEP_UP = 'urn:orchestrate:acr:step-up';

/** Raw parameters of an authorization request that affect the sign-in. */
export interface SignInParams {
  acr_values?: unknown;
  /** JSON string (OpenID Connect Core 1.0 §5.5). */
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

/** Returns the ID token claims requested by the `claims` parameter, or undefined. */
export function idTokenClaimsRequest({ claims }: SignInParams) {
  const request = typeof claims === 'string' ? claimsRequest.safeParse(readJson(claims)) : undefined;
  return request?.data?.id_token ?? undefined;
}

/** Returns the authentication contexts that are acceptable in the ID token, or an empty array if none is required. */
export function essentialContexts(params: SignInParams): string[] {
  const { essential, value, values = [] } = idTokenClaimsRequest(params)?.acr ?? {};
  return essential === true ? [...values, ...(value === undefined ? [] : [value])] : [];
}

/** Returns true if an authorization request asks for step-up, in `acr_values` or as an essential claim. */
export function requestsStepUp(params: SignInParams): boolean {
  const { acr_values: preferred } = params;
  return (
    (typeof preferred === 'string' && preferred.split(' ').includes(STEP_UP)) ||
    essentialContexts(params).includes(STEP_UP)
  );
}
