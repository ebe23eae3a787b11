/**
 * Indexes start with their most selective column and name the organisation second, and every query filters by both.
 * SQLite has no statistics here, so if two indexes started with the organisation, it might choose the wrong one.
 */
export * from './app-logins.ts';
export * from './applications.ts';
export * from './attempts.ts';
export * from './audit.ts';
export * from './browsers.ts';
export * from './challenges.ts';
export * from './devices.ts';
export * from './external-sign-ins.ts';
export * from './faq.ts';
export * from './groups.ts';
export * from './joining.ts';
export * from './logouts.ts';
export * from './members.ts';
export * from './oidc.ts';
export * from './organisations.ts';
export * from './outbound-provisioning.ts';
export * from './outbox.ts';
export * from './sealed-columns.ts';
export * from './sessions.ts';
export * from './settings.ts';
export * from './webhooks.ts';
export * from './world.ts';
