import { type AuthState, type Permission, type Profile, readJson, STORED_SESSION } from '@orchestrate/shared';
import { useSyncExternalStore } from 'react';
import { now } from '#adapters/clock.ts';
import { readStored, writeStored } from '../browser/stored.ts';
import { forgetOthers, PERSONAL } from './personal-storage.ts';

/** The data of a sign-in, and when its access token expires by this browser's clock (the server's may differ). */
export interface Session extends AuthState {
  tokenEndsAt: number;
}

const { session: SESSION_KEY, organisation: ORGANISATION_KEY } = STORED_SESSION;
const PORTAL_COOKIE = /^portal/i;

const listeners = new Set<() => void>();
let session: Session | null = read();

function isSession(stored: unknown): stored is Session {
  if (typeof stored !== 'object' || stored === null) return false;
  const { token, refreshToken, profile, orgId, tokenEndsAt }: Partial<Session> = stored;
  const areStrings = [token, refreshToken, orgId, profile?.suid].every((part) => typeof part === 'string');
  return areStrings && typeof tokenEndsAt === 'number' && Array.isArray(profile?.permissions);
}

function read(): Session | null {
  const stored = readJson(readStored(SESSION_KEY));
  return isSession(stored) ? stored : null;
}

function put(next: Session | null): void {
  session = next;
  writeStored(SESSION_KEY, next && JSON.stringify(next));
  for (const listener of listeners) listener();
}

/** Lifetime of a JWT in milliseconds, from its own `iat` and `exp`; 0 where they are missing. */
function lifetimeOf(token: string): number {
  try {
    const payload: unknown = JSON.parse(atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')));
    if (typeof payload !== 'object' || payload === null || !('iat' in payload) || !('exp' in payload)) return 0;
    return Math.max(0, (Number(payload.exp) - Number(payload.iat)) * 1000) || 0;
  } catch {
    return 0;
  }
}

const endOf = (token: string) => now() + lifetimeOf(token);

export const currentSession = (): Session | null => session;

/** Takes over what another tab has stored, e.g. a renewed token. */
export function reloadSession(): Session | null {
  session = read();
  if (session) forgetOthers(session.profile.suid);
  for (const listener of listeners) listener();
  return session;
}

/**
 * Starts a session and remembers its organisation for the next visit. What other people left in this tab is removed.
 */
export function startSession(state: AuthState): void {
  wasCutOff = false;
  hasLeft = false;
  isKeptOut = false;
  forgetOthers(state.profile.suid);
  writeStored(ORGANISATION_KEY, state.orgId);
  put({ ...state, tokenEndsAt: endOf(state.token) });
}

/** Replaces the tokens with a renewed pair. */
export function renewTokens(tokens: { token: string; refreshToken: string }): void {
  if (session) put({ ...session, ...tokens, tokenEndsAt: endOf(tokens.token) });
}

/** Takes over what the server now says about the person: name, role, permissions. */
export function updateProfile(profile: Profile): void {
  if (session && JSON.stringify(session.profile) !== JSON.stringify(profile)) {
    put({ ...session, profile, role: profile.roleCode });
  }
}

let wasCutOff = false;

/** Whether the last session ended without the person asking for it: then the sign-in page says so. */
export const hasBeenCutOff = (): boolean => wasCutOff;

let hasLeft = false;

/** Whether the person signed out in this tab: then nothing that they typed is kept. */
export const hasSignedOut = (): boolean => hasLeft;

/** Forgets credentials, session and portal cookies (spec 1 §8); the organisation stays remembered. */
export function endSession(isCutOff = false): void {
  wasCutOff ||= isCutOff;
  for (const cookie of document.cookie.split(';')) {
    const name = cookie.split('=')[0]?.trim() ?? '';
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing over plain HTTP and in Safari.
    if (PORTAL_COOKIE.test(name)) document.cookie = `${name}=; Max-Age=0; Path=/`;
  }
  put(null);
}

/** Ends the session for good: nothing that the person typed stays in this tab. */
export function signOut(): void {
  hasLeft = true;
  endSession();
  forgetOthers();
}

/** Whether the organisation blocks this address. The session stays and continues from an allowed address. */
let isKeptOut = false;

export function setKeptOut(value: boolean): void {
  isKeptOut = value;
  for (const listener of listeners) listener();
}

export const useIsKeptOut = (): boolean => useSyncExternalStore(subscribe, () => isKeptOut);

export const rememberedOrganisation = (): string | null => readStored(ORGANISATION_KEY);

export const rememberOrganisation = (orgId: string): void => writeStored(ORGANISATION_KEY, orgId);

function subscribe(listener: () => void): () => void {
  const followOtherTabs = (event: StorageEvent) => {
    if (event.key === SESSION_KEY || event.key === null) reloadSession();
  };
  listeners.add(listener);
  window.addEventListener('storage', followOtherTabs);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', followOtherTabs);
  };
}

/** The session of this browser, null when signed out; follows sign-ins and sign-outs in other tabs. */
export function useSession(): Session | null {
  return useSyncExternalStore(subscribe, currentSession);
}

/** A permission counts only for people who have a role and the permission in the list (spec 1 §6). */
export function hasPermission(profile: Profile | undefined, permission: Permission): boolean {
  return Boolean(profile?.roleCode) && Boolean(profile?.permissions.includes(permission));
}

/** Whether the signed-in person has a permission. The client hides by this; the server decides. */
export function useCan(permission: Permission): boolean {
  return hasPermission(useSession()?.profile, permission);
}

/**
 * Keeps a navigation's state for this tab while the person is at the organisation's own identity server, from which the
 * browser comes back without it. It replaces what an earlier sign-in has kept.
 */
export const keepReturnState = (state: unknown): void =>
  writeStored(PERSONAL.returnTo, state === null ? null : JSON.stringify(state), 'sessionStorage');

/** The state that was kept last; undefined where there is none. */
export const keptReturnState = (): unknown => readJson(readStored(PERSONAL.returnTo, 'sessionStorage'));
