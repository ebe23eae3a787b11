export { PortalRefusal, PortalUnreachable } from '@orchestrate/shared/authenticator';
export type { Browser, BrowserOptions, Page } from './browser.ts';
export { connectPortal, type PortalAddress } from './connect-portal.ts';
export { type LiveClient, UpgradeRefused } from './live-client.ts';
export { NotVerified } from './not-verified.ts';
export type { Credentials, Portal, Snapshot } from './portal.ts';
export { Skipped } from './skipped.ts';
export { type StartOptions, startPortal } from './start-portal.ts';
