export { PortalRefusal, PortalUnreachable } from '@orchestrate/shared/authenticator';
export type { Browser, BrowserOptions, Page } from './browser.ts';
export { connectPortal, type PortalAddress } from './connect-portal.ts';
export { NotVerified, Skipped } from './errors.ts';
export { explainFailures, type FailureOptions } from './explain-failures.ts';
export { type LiveClient, UpgradeRefused } from './live-client.ts';
export type { Credentials, Portal, Snapshot } from './portal.ts';
export { type StartOptions, startPortal } from './start-portal.ts';
