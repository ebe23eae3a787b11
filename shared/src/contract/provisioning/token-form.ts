import { z } from 'zod';
import { nameText } from '../../fields.ts';

/** In days: a bearer token has a limited lifetime (RFC 6750 §5.3, RFC 7644 §7.4). */
export const TOKEN_LIFETIME_DAYS = [90, 180, 365, 730] as const;

/** The form for a new bearer token of another program. */
export const tokenForm = z.object({
  name: nameText(100),
  lifetimeDays: z.literal(TOKEN_LIFETIME_DAYS).default(365),
});
export type TokenForm = z.output<typeof tokenForm>;
