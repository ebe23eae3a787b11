export * from './add-device.ts';
export * from './authenticator.ts';
export * from './bulk-invite.ts';
export * from './lab.ts';
export * from './login.ts';
export * from './test-device.ts';
export * from './verbal.ts';
