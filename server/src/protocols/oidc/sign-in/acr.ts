import { readJson } from '@orchestrate/shared';
import { z } from 'zod';

/**
 * The authentication context that a client may request in `acr_values`: the number shown by the browser was picked as
 * well, or a passkey verified its owner in that browser.
 */
export const STEP_UP = 'urn:orchestrate:acr:step-up';

/** What an authorization request asks of the sign-in, in parameters as they were sent. */
export interface Asked {
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

/** What the `claims` parameter asks of the id token; undefined where it asks nothing. */
export function askedOfIdToken({ claims }: Asked) {
  const asked = typeof claims === 'string' ? claimsRequest.safeParse(readJson(claims)) : undefined;
  return asked?.data?.id_token ?? undefined;
}

/** The authentication contexts one of which the id token must have; empty where none must. */
export function essentialContexts(asked: Asked): string[] {
  const { essential, value, values = [] } = askedOfIdToken(asked)?.acr ?? {};
  return essential === true ? [...values, ...(value === undefined ? [] : [value])] : [];
}

/** Whether an authorization request asks for step-up, as a wish in `acr_values` or as an essential claim. */
export function asksForStepUp(asked: Asked): boolean {
  const { acr_values: wished } = asked;
  return (
    (typeof wished === 'string' && wished.split(' ').includes(STEP_UP)) || essentialContexts(asked).includes(STEP_UP)
  );
}
