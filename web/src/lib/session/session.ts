import { type AuthState, type Permission, type Profile, readJson, STORED_SESSION } from '@orchestrate/shared';
import { useSyncExternalStore } from 'react';
import { now } from '#adapters/browser.ts';
import { readStored, writeStored } from '../browser/stored.ts';
import { PERSONAL_STORAGE_KEYS, removeDataOfOtherUsers } from './personal-storage.ts';

/**
 * A signed-in session. Stores when its access token expires by this browser's clock, which can differ from the
 * server's.
 */
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

/** Returns a JWT's lifetime in milliseconds, from its `iat` and `exp`, or 0 if these are missing. */
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

/** Reloads the session from storage, e.g. after another tab renewed the token. */
export function reloadSession(): Session | null {
  session = read();
  if (session) removeDataOfOtherUsers(session.profile.suid);
  for (const listener of listeners) listener();
  return session;
}

/** Starts a session, remembers its organisation for the next visit, and removes other users' data from this tab. */
export function startSession(state: AuthState): void {
  hasExpired = false;
  hasLeft = false;
  isAddressBlocked = false;
  removeDataOfOtherUsers(state.profile.suid);
  writeStored(ORGANISATION_KEY, state.orgId);
  put({ ...state, tokenEndsAt: endOf(state.token) });
}

/** Replaces the session's tokens with a renewed pair. */
export function renewTokens(tokens: { token: string; refreshToken: string }): void {
  if (session) put({ ...session, ...tokens, tokenEndsAt: endOf(tokens.token) });
}

/** Updates the user's name, role and permissions with the server's data. */
export function updateProfile(profile: Profile): void {
  if (session && JSON.stringify(session.profile) !== JSON.stringify(profile)) {
    put({ ...session, profile, role: profile.roleCode });
  }
}

let hasExpired = false;

/** Returns true if the last session ended without the user signing out, which the sign-in page reports. */
export const hasSessionExpired = (): boolean => hasExpired;

let hasLeft = false;

/** Returns true if the user signed out in this tab. No input is stored after that. */
export const hasSignedOut = (): boolean => hasLeft;

/** Removes credentials, session and portal cookies (spec 1 §8). The organisation stays remembered. */
export function endSession(isExpired = false): void {
  hasExpired ||= isExpired;
  for (const cookie of document.cookie.split(';')) {
    const name = cookie.split('=')[0]?.trim() ?? '';
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing over plain HTTP and in Safari.
    if (PORTAL_COOKIE.test(name)) document.cookie = `${name}=; Max-Age=0; Path=/`;
  }
  put(null);
}

/** Ends the session at the user's request and removes their input from this tab. */
export function signOut(): void {
  hasLeft = true;
  endSession();
  removeDataOfOtherUsers();
}

/** True while the organisation blocks this IP address. The session still works from an allowed address. */
let isAddressBlocked = false;

export function setAddressBlocked(value: boolean): void {
  isAddressBlocked = value;
  for (const listener of listeners) listener();
}

export const useIsAddressBlocked = (): boolean => useSyncExternalStore(subscribe, () => isAddressBlocked);

export const rememberedOrganisation = (): string | null => readStored(ORGANISATION_KEY);

export const rememberOrganisation = (orgId: string): void => writeStored(ORGANISATION_KEY, orgId);

// Follows other tabs from the start: a sign-out before the first component is rendered would otherwise be missed.
window.addEventListener('storage', ({ key }) => {
  if (key === SESSION_KEY || key === null) reloadSession();
});

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Returns this browser's session, or null if signed out. Follows sign-ins and sign-outs in other tabs. */
export function useSession(): Session | null {
  return useSyncExternalStore(subscribe, currentSession);
}

/** Returns true if the user has a role and the permission (spec 1 §6). */
export function hasPermission(profile: Profile | undefined, permission: Permission): boolean {
  return Boolean(profile?.roleCode) && Boolean(profile?.permissions.includes(permission));
}

/**
 * Returns true if the signed-in user has a permission. Use it only to hide controls; the server enforces permissions.
 */
export function useCan(permission: Permission): boolean {
  return hasPermission(useSession()?.profile, permission);
}

/**
 * Stores a navigation's state for this tab, because the state is lost while the browser is at the organisation's
 * identity provider. Replaces the state of an earlier sign-in.
 */
export const storeReturnState = (state: unknown): void =>
  writeStored(PERSONAL_STORAGE_KEYS.returnTo, state === null ? null : JSON.stringify(state), 'sessionStorage');

/** Returns the stored navigation state, if any. */
export const readReturnState = (): unknown => readJson(readStored(PERSONAL_STORAGE_KEYS.returnTo, 'sessionStorage'));
