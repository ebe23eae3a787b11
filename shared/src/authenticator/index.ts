export * from './authenticator-refusal.ts';
export * from './create-authenticator.ts';
export * from './device-jws.ts';
export * from './device-key.ts';
export * from './device-state.ts';
export * from './portal-call.ts';
export * from './read-scanned.ts';
export type { LiveSocket, LiveSocketConstructor, Watch, WatchListener, WatchState } from './watch-challenges.ts';
