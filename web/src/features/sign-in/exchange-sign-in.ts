import { type AuthState, completeAppLogin, login, type ReplyOf } from '@orchestrate/shared';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { call } from '#lib/api/call.ts';
import { DEFAULT_TEXT } from '#lib/notices/result-text.ts';
import { setRemembered } from '#lib/session/browser-state.ts';
import { rememberedOrganisation, startSession } from '#lib/session/session.ts';

function authOf(reply: ReplyOf<typeof login>): AuthState {
  if (reply.token === undefined) throw new ApiRefusal(0, { message: DEFAULT_TEXT });
  const { token, refreshToken, profile, orgId, role, modules } = reply;
  return { token, refreshToken, profile, orgId, role, modules };
}

/**
 * Exchanges an approved sign-in and returns the next step, which is to start the session or to send the browser back
 * to the application.
 * @throws ApiRefusal
 */
export async function exchangeSignIn(
  loginId: string,
  exchangeToken: string,
  appLoginId: string | undefined,
): Promise<() => void> {
  const body = { loginId, exchangeToken };
  if (appLoginId) {
    const { redirectTo, rememberedUntil } = await call(completeAppLogin, { params: { appLoginId }, body });
    // The page has stored the organisation of the sign-in that it displays.
    if (rememberedUntil) setRemembered(rememberedOrganisation() ?? '', true);
    return () => window.location.assign(redirectTo);
  }
  const reply = await call(login, { body });
  const auth = authOf(reply);
  if (reply.rememberedUntil) setRemembered(auth.orgId, true);
  return () => startSession(auth);
}
