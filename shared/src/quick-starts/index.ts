export * from './oidc.ts';
export type { QuickStart } from './quick-start.ts';
export * from './saml.ts';
