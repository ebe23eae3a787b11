import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, secret, text } from '../../fields.ts';

/**
 * A sign-in to an application. The application's protocol sends the browser to the sign-in page with
 * `?app={appLoginId}`, the page signs the user in as usual (POST user/login with `appLoginId`) and sends the browser
 * back (decision 110).
 */
const params = z.object({ appLoginId: secret(id) });

const appLogin = z.object({
  orgCode: z.string(),
  appName: z.string(),
  didEnabled: z.boolean(),
  webAuthnEnabled: z.boolean(),
  /** The application's hint for which user is signing in, or ''. */
  loginHint: z.string(),
  /**
   * True if the user must confirm the sign-in, because another site sent the browser to an application that it hasn't
   * used before.
   */
  needsConfirmation: z.boolean(),
  expiresAt: z.string(),
});
export type AppLogin = z.output<typeof appLogin>;

export const getAppLogin = endpoint({
  method: 'GET',
  path: '/user/app-login/:appLoginId',
  area: 'Session and profile',
  summary: "Get the application that a browser is signing in to, and the application's sign-in methods",
  access: { who: 'public' },
  params,
  reply: appLogin,
  refuses: ['EXPIRED', 'ID_DOESNOT_EXIST'],
});

export const completeAppLogin = endpoint({
  method: 'POST',
  path: '/user/app-login/:appLoginId',
  area: 'Session and profile',
  summary: 'Exchange an approved sign-in for the URL that returns to the application',
  access: { who: 'public' },
  params,
  body: z.object({ loginId: secret(id), exchangeToken: secret(text(128)) }),
  /** `redirectTo`: a path on this origin that only the browser that started the sign-in can open, once. */
  reply: z.object({ redirectTo: secret(z.string()), rememberedUntil: z.string().optional() }),
  refuses: [
    'EXPIRED',
    'ID_DOESNOT_EXIST',
    'AUTHENTICATION_INCOMPLETE',
    'LOGIN_NO_CONSENT',
    'USER_INACTIVE',
    'IP_NOT_VALID',
  ],
  // The sign-in history records the outcome, so there is no audit event.
  events: [],
});
